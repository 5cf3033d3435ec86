import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table tag_types (
      name        text constraint tag_types_pkey primary key,
      description text not null,
      icon        text,
      color       text,
      created_at  timestamptz(3) not null
    );
    create table tags (
      type       text not null constraint tags_type_fkey references tag_types,
      value      text not null,
      created_at timestamptz(3) not null,
      constraint tags_pkey primary key (type, value)
    );
    create table feature_tags (
      feature_name text not null
        constraint feature_tags_feature_fkey references features on delete cascade,
      type         text not null,
      value        text not null,
      created_at   timestamptz(3) not null,
      constraint feature_tags_pkey primary key (feature_name, type, value),
      constraint feature_tags_tag_fkey foreign key (type, value) references tags
    );
    create index feature_tags_tag_idx on feature_tags (type, value);`.execute(db);
}
