import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  // What a search through a repository found, the last one only: also names that no feature has, or not in the
  // project. One that comes later is in the code all the same.
  await sql`
    create table code_scans (
      project    text not null
        constraint code_scans_project_fkey references projects on delete cascade,
      repository text not null,
      commit     text,
      scanned_at timestamptz(3) not null,
      constraint code_scans_pkey primary key (project, repository)
    );
    create table code_references (
      id           bigint generated always as identity
        constraint code_references_pkey primary key,
      project      text not null,
      repository   text not null,
      feature_name text not null,
      path         text not null,
      line         integer not null,
      constraint code_references_scan_fkey foreign key (project, repository)
        references code_scans on delete cascade
    );
    create index code_references_scan_idx on code_references (project, repository);
    create index code_references_feature_idx on code_references (feature_name);`.execute(db);
}
