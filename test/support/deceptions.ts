import { type RawBuilder, sql } from 'kysely';

export const body = (text: string) => sql.raw(`$$ ${text} $$`);

interface Deception {
  readonly by: readonly RawBuilder<unknown>[];
  readonly found: RegExp;
  /** Set if it needs a superuser, or lasts only for the session. */
  readonly only?: 'superuser' | 'session';
}

/** Ways in which the owner of the database can manipulate the event log. */
export const deceptions: Readonly<Record<string, Deception>> = {
  'a view instead of the table': {
    by: [
      sql`alter table events rename to events_of_old`,
      sql`create view events as select * from events_of_old where id <> 3`,
    ],
    found: /The table events differs from this version of Burgee: view/,
  },
  'a view instead of a table that controls visibility': {
    by: [
      sql`alter table projects rename to projects_of_old`,
      sql`create view projects as select * from projects_of_old`,
    ],
    found: /The table projects differs from this version of Burgee: view/,
  },
  'a function that omits some events': {
    by: [
      sql`create or replace function append_events(batch json) returns void language plpgsql
        set search_path = public, pg_temp as ${body('begin return; end')}`,
    ],
    found: /The function append_events\(batch json\) differs from this version/,
  },
  'a function without its search path': {
    by: [sql`alter function append_events(json) reset search_path`],
    found: /The function append_events/,
  },
  'an overloaded function with a more specific signature': {
    by: [
      sql`create function append_events(batch jsonb) returns void language sql as ${body('select')}`,
    ],
    found: /The database contains the function append_events\(batch jsonb\)/,
  },
  'a custom type in a function': {
    by: [
      sql`create schema evil`,
      sql`create function evil.noted(pg_catalog.date) returns boolean language sql as ${body('select true')}`,
      sql`create domain public.date as pg_catalog.date check (evil.noted(value))`,
      sql`do ${body(`begin execute replace(pg_get_functiondef('append_events(json)'::regprocedure),
        'day      date;', 'day      public.date;'); end`)}`,
    ],
    found: /The function append_events\(batch json\) differs from this version/,
  },
  'the name of the schema in a string of a function': {
    by: [
      sql`do ${body(`begin execute replace(pg_get_functiondef('guard_events()'::regprocedure),
        '''TRUNCATE''', '''public.TRUNCATE'''); end`)}`,
    ],
    found: /The function guard_events\(\) differs from/,
  },
  'the name of the schema in the condition of an index': {
    by: [
      sql`drop index events_deletions_idx`,
      sql`create index events_deletions_idx on events (feature_name, id) where type = 'public.feature-deleted'`,
    ],
    found: /The index events_deletions_idx differs from/,
  },
  'a view earlier in the search path than the table': {
    only: 'superuser',
    by: [
      sql`select set_config('allow_system_table_mods', 'on', false)`,
      sql`create view pg_catalog.events as select * from public.events where id <> 3`,
      sql`select set_config('allow_system_table_mods', 'off', false)`,
    ],
    found: /The database contains the built-in table events/,
  },
  'a guard function that allows everything': {
    by: [
      sql`create or replace function guard_events() returns trigger language plpgsql as ${body('begin return new; end')}`,
    ],
    found: /The function guard_events\(\) differs from/,
  },
  'a disabled trigger': {
    by: [sql`alter table events disable trigger events_are_append_only`],
    found: /The trigger events.events_are_append_only differs from .* switched off/,
  },
  'a removed trigger': {
    by: [sql`drop trigger events_are_not_truncated on events`],
    found: /The trigger events.events_are_not_truncated is missing/,
  },
  'an added trigger on insert': {
    by: [
      sql`create function change() returns trigger language plpgsql as ${body("begin new.summary := ''; return new; end")}`,
      sql`create trigger change before insert on events for each row execute function change()`,
    ],
    found: /The database contains the function change\(\)/,
  },
  'a trigger on another table with a function of another schema': {
    by: [
      sql`create schema evil`,
      sql`create function evil.change() returns trigger language plpgsql as ${body('begin return null; end')}`,
      sql`create trigger change after insert on features for each row execute function evil.change()`,
    ],
    found: /The database contains the trigger features.change/,
  },
  'a rule that discards events': {
    by: [sql`create rule quiet as on insert to events where new.type = 'x' do instead nothing`],
    found: /The database contains the rule events.quiet/,
  },
  'row-level security': {
    by: [
      sql`alter table events enable row level security`,
      sql`alter table events force row level security`,
    ],
    found: /The table events differs from .* row security/,
  },
  'an inactive policy': {
    by: [sql`create policy hide on events using (id <> 3)`],
    found: /The database contains the policy events.hide/,
  },
  'a child table': {
    by: [sql`create table more_events () inherits (events)`],
    found: /The table events differs from .* with children/,
  },
  'an unlogged table': {
    by: [sql`alter table event_texts set unlogged`],
    found: /The table event_texts differs from .* not permanent/,
  },
  'another column type': {
    by: [sql`alter table events alter label type varchar(200)`],
    found: /The column events.label differs from/,
  },
  'a domain instead of a type': {
    by: [
      sql`create domain label as text check (value <> 'x')`,
      sql`alter table events alter label type label`,
    ],
    found: /The column events.label differs from .* in public: public\.label/,
  },
  'an added default': {
    by: [sql`alter table events alter ip set default '127.0.0.1'`],
    found: /The column events.ip differs from .* default/,
  },
  'a generated column instead of a stored one': {
    by: [
      sql`alter table events drop column label`,
      sql`alter table events add column label text not null generated always as (type || '!') stored`,
    ],
    found: /The column events.label differs from .* generated/,
  },
  'a constraint that rejects some events': {
    by: [sql`alter table events add constraint quiet check (type <> 'never')`],
    found: /The database contains the constraint events.quiet/,
  },
  'an index that omits rows': {
    by: [
      sql`drop index events_project_idx`,
      sql`create index events_project_idx on events (project, id desc) where project is not null and id <> 3`,
    ],
    found: /The index events_project_idx differs from/,
  },
  "a function that overrides PostgreSQL's for text": {
    by: [
      sql`create function to_json(text) returns json language sql as ${body(`select '"forged"'::json`)}`,
    ],
    found: /The database contains the function to_json\(text\)/,
  },
  "an operator that overrides PostgreSQL's": {
    by: [
      sql`create schema evil`,
      sql`create function evil.joined(text, bigint) returns text language sql as ${body('select $1')}`,
      sql`create operator || (function = evil.joined, leftarg = text, rightarg = bigint)`,
    ],
    found: /The database contains the operator \|\|\(text, bigint\)/,
  },
  'a function added to the extension': {
    by: [
      sql`create function to_json(text) returns json language sql as ${body(`select '1'::json`)}`,
      sql`alter extension pg_trgm add function to_json(text)`,
    ],
    found: /The database contains the function to_json\(text\)/,
  },
  'a replaced function of PostgreSQL': {
    only: 'superuser',
    by: [
      sql`create or replace function pg_catalog.sha256(bytea) returns bytea language sql immutable strict as ${body('select $1')}`,
    ],
    found: /The database contains the built-in function sha256\(bytea\)/,
  },
  'a replaced function of PostgreSQL for text search': {
    only: 'superuser',
    by: [
      sql`create or replace function pg_catalog.textlike(text, text) returns boolean language plpgsql immutable
        as ${body('begin return false; end')}`,
    ],
    found: /The database contains the built-in function textlike\(text,text\)/,
  },
  'a replaced aggregate of PostgreSQL': {
    only: 'superuser',
    by: [
      sql`create schema evil`,
      sql`create function evil.kept(bigint, bigint) returns bigint language sql immutable as ${body('select $1')}`,
      sql`create or replace aggregate pg_catalog.max(bigint) (sfunc = evil.kept, stype = bigint)`,
    ],
    found: /The database contains the built-in aggregate max\(bigint\)/,
  },
  'a function added to pg_catalog': {
    only: 'superuser',
    by: [
      sql`create function pg_catalog.to_json(text) returns json language sql as ${body(`select '1'::json`)}`,
    ],
    found: /The database contains the built-in function to_json\(text\)/,
  },
  'an added cast': {
    only: 'superuser',
    by: [
      sql`create schema evil`,
      sql`create function evil.shown(json) returns text language sql as ${body(`select 'forged'`)}`,
      sql`create cast (json as text) with function evil.shown(json)`,
    ],
    found: /The database contains the cast json to text/,
  },
  'an operator added to the extension': {
    by: [
      sql`create schema evil`,
      sql`create function evil.shown(json, json) returns text language sql as ${body(`select 'forged'`)}`,
      sql`create operator ->> (function = evil.shown, leftarg = json, rightarg = json)`,
      sql`alter extension pg_trgm add operator ->> (json, json)`,
    ],
    found: /The database contains the operator ->>\(json, json\)/,
  },
  'a function of the extension under the name of another operator': {
    by: [
      sql`create operator ->> (function = similarity_op, leftarg = text, rightarg = text)`,
      sql`alter extension pg_trgm add operator ->> (text, text)`,
    ],
    found: /The database contains the operator ->>\(text, text\)/,
  },
  'a collation with the name of the default one': {
    by: [
      sql`create schema evil`,
      sql`create collation evil."default" (provider = icu, locale = 'und-u-ks-level1', deterministic = false)`,
      sql`alter table events alter feature_name type text collate evil."default"`,
    ],
    found: /The column events.feature_name differs from .* collate evil.default/,
  },
  'a collation with the name of the one for search texts': {
    by: [
      sql`create schema evil`,
      sql`create collation evil."C" (provider = icu, locale = 'und-u-ks-level1', deterministic = false)`,
      sql`drop index event_texts_trgm_idx`,
      sql`alter table event_texts alter search type text collate evil."C"`,
    ],
    found: /The column event_texts.search differs from .* collate evil.C/,
  },
  'an index with another collation': {
    by: [
      sql`drop index events_creator_name_idx`,
      sql`create index events_creator_name_idx on events (created_by collate "C", id desc)`,
    ],
    found: /The index events_creator_name_idx differs from/,
  },
  'an index whose function can write': {
    by: [
      sql`create schema evil`,
      sql`create function evil.f(text) returns text language plpgsql immutable as ${body('begin return $1; end')}`,
      sql`create index slow_report on events (evil.f(type))`,
    ],
    found: /The database contains the index slow_report/,
  },
  'an index whose condition calls a function': {
    by: [
      sql`create schema evil`,
      sql`create function evil.f(text) returns boolean language sql immutable as ${body('select true')}`,
      sql`create index slow_report on events (id) where evil.f(type)`,
    ],
    found: /The database contains the index slow_report/,
  },
  'a unique index that rejects events': {
    by: [sql`create unique index one_of_each on events (hash)`],
    found: /The database contains the index one_of_each/,
  },
  'an index with a function on another table': {
    by: [
      sql`create schema evil`,
      sql`create function evil.f(text) returns text language plpgsql immutable as ${body('begin return $1; end')}`,
      sql`create index slow_report on features (evil.f(name))`,
    ],
    found: /The database contains the use of function evil.f\(text\) in features/,
  },
  'a default with a function on another table': {
    by: [
      sql`create schema evil`,
      sql`create function evil.f() returns text language sql as ${body("select 'x'")}`,
      sql`alter table projects alter description set default evil.f()`,
    ],
    found: /The database contains the use of function evil.f\(\) in projects/,
  },
  'statistics with a function': {
    by: [
      sql`create schema evil`,
      sql`create function evil.f(text) returns text language sql immutable as ${body('select $1')}`,
      sql`create statistics evil.s on (evil.f(type)) from events`,
    ],
    found: /The database contains the use of function evil.f\(text\) in events/,
  },
  'a view of Burgee that calls another function': {
    by: [
      sql`create schema evil`,
      sql`create function evil.f() returns boolean language sql as ${body('select true')}`,
      sql`do ${body(`declare old text := pg_get_viewdef('feature_ages'); begin
        execute 'create or replace view feature_ages as select * from (' || rtrim(old, ';') || ') kept where evil.f()'; end`)}`,
    ],
    found: /The database contains the use of function evil.f\(\) in feature_ages/,
  },
  'a domain in another table': {
    by: [
      sql`create schema evil`,
      sql`create domain evil.name as text check (value <> 'x')`,
      sql`alter table projects alter description type evil.name`,
    ],
    found: /The database contains the use of type evil.name in projects/,
  },
  'a function added to an operator family of PostgreSQL': {
    only: 'superuser',
    by: [
      sql`create schema evil`,
      sql`create function evil.compared(text, bigint) returns integer language sql immutable as ${body('select 0')}`,
      sql`alter operator family pg_catalog.text_ops using btree add function 1 (text, bigint) evil.compared(text, bigint)`,
    ],
    found: /The database contains the operator family text_ops of btree/,
  },
  'an account setting that makes an index omit hits': {
    by: [
      sql`do ${body("begin execute format('alter role %I set gin_fuzzy_search_limit = 1', current_user); end")}`,
    ],
    found:
      /contains the setting gin_fuzzy_search_limit=1 of the account \w+, which Burgee did not create/,
  },
  'a database setting that makes null equal null': {
    by: [
      sql`do ${body("begin execute format('alter database %I set transform_null_equals = on', current_database()); end")}`,
    ],
    found: /contains the setting transform_null_equals=on of the database/,
  },
  'a database setting that disables the guard': {
    only: 'superuser',
    by: [
      sql`do ${body("begin execute format('alter database %I set burgee.duty = erasure', current_database()); end")}`,
    ],
    found: /contains the setting burgee.duty=erasure of the database/,
  },
  'a setting of this session': {
    only: 'session',
    by: [sql`set local gin_fuzzy_search_limit = 1`],
    found: /changed a setting of this session: gin_fuzzy_search_limit is 1 instead of 0/,
  },
  'an account setting that disables triggers': {
    only: 'superuser',
    by: [
      sql`do ${body("begin execute format('alter role %I set session_replication_role = replica', current_user); end")}`,
    ],
    found: /session_replication_role(=| is )replica/,
  },
  'another search path': {
    only: 'session',
    by: [sql`set local search_path = evil, public`],
    found: /changed the search path of this session: evil, public/,
  },
};
