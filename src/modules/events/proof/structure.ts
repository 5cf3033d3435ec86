import { sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { searchPath, sessionSettings } from '../../../platform/db/session.ts';
import { sha256 } from './canonical.ts';
import { fault, type LogFault } from './diagnose.ts';
import { expectedStructure } from './expected-structure.ts';
import { isHarmlessSetting } from './harmless-settings.ts';

/** The tables that make up the log or determine whether it is trusted. */
const logTables = [
  'events',
  'event_texts',
  'event_side_texts',
  'event_days',
  'event_log',
  'event_recipients',
  'feature_authors',
  'signing_keys',
];

/** All other built-in functions are compiled into PostgreSQL or its libraries. The list is the same in 15 and 18. */
const writtenInSql = [
  ...['age', 'anytextcat', 'bit_length', 'col_description', 'date_part', 'int8pl_inet'],
  ...['integer_pl_date', 'interval_pl_date', 'interval_pl_time', 'interval_pl_timestamp'],
  ...['interval_pl_timestamptz', 'interval_pl_timetz', 'log', 'log10', 'lpad', 'numeric_pl_pg_lsn'],
  ...['obj_description', 'overlaps', 'path_contain_pt', 'pg_relation_size', 'pg_sleep_for'],
  ...['pg_sleep_until', 'polygon', 'quote_literal', 'quote_nullable', 'round', 'rpad'],
  ...[
    'shobj_description',
    'substring',
    'textanycat',
    'timedate_pl',
    'timestamptz',
    'timetzdate_pl',
  ],
  ...['trunc', 'ts_debug', 'xpath', 'xpath_exists'],
];

/** The operators of pg_trgm, each with its function. */
const operatorsOfTrgm = [
  ...['% similarity_op', '<-> similarity_dist', '<% word_similarity_op'],
  ...['%> word_similarity_commutator_op', '<<-> word_similarity_dist_op'],
  ...['<->> word_similarity_dist_commutator_op', '<<% strict_word_similarity_op'],
  ...['%>> strict_word_similarity_commutator_op', '<<<-> strict_word_similarity_dist_op'],
  '<->>> strict_word_similarity_dist_commutator_op',
];

/** An object of the database's catalogue that influences what is written to the log or read from it. */
interface SchemaObject {
  readonly kind: string;
  readonly name: string;
  /** Its definition or a digest of it. Any difference counts. */
  readonly text: string;
  /** For example an index of the operator, which can only make things faster. */
  readonly harmless: boolean;
}

/** Objects with lower oids were created by `initdb`. */
const firstUserOid = 16_384;

/** The condition that an object belongs to this extension, or to any. */
const inExtension = (catalogue: string, oid: string, name?: string) => sql`exists (
  select from pg_catalog.pg_depend member
  join pg_catalog.pg_extension extension on extension.oid = member.refobjid
  where member.classid = ${sql.lit(`pg_catalog.${catalogue}`)}::pg_catalog.regclass
    and member.objid = ${sql.raw(oid)} and member.deptype = 'e'
    and member.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass
    and ${name === undefined ? sql`true` : sql`extension.extname = ${name}`})`;

/**
 * The condition that a function is of pg_trgm. Membership is not enough, because an owner can add anything to an
 * extension. Each of its functions has the name of its symbol in the library.
 */
const isOfTrgm = (f: string) => sql`(
  ${sql.raw(f)}.probin = '$libdir/pg_trgm' and ${sql.raw(f)}.prosrc = ${sql.raw(f)}.proname::pg_catalog.text
  and ${sql.raw(f)}.prolang = (select l.oid from pg_catalog.pg_language l where l.lanname = 'c')
  and ${inExtension('pg_proc', `${f}.oid`, 'pg_trgm')})`;

const operatorIsOfTrgm = (o: string) => sql`exists (
  select from pg_catalog.pg_proc code where code.oid = ${sql.raw(o)}.oprcode and ${isOfTrgm('code')}
    and ${sql.raw(o)}.oprname || ' ' || code.proname = any(${operatorsOfTrgm}))`;

/** The collation with this oid, unless it is the default one. Names are not enough: any schema can have a "C". */
const collation = (oid: string) => sql`(
  select 'collate ' || case when co.oid < ${sql.lit(firstUserOid)} then '' else cn.nspname || '.' end || co.collname
  from pg_catalog.pg_collation co join pg_catalog.pg_namespace cn on cn.oid = co.collnamespace
  where co.oid = ${sql.raw(oid)} and co.oid <> 'pg_catalog."default"'::pg_catalog.regcollation)`;

/**
 * Tables must be ordinary tables without rules that change what they return. This includes tables outside the log,
 * because they determine who sees which event. Tables and views that the operator added are ignored.
 */
const tables = sql`
  select 'table' as kind, c.relname::text as name, pg_catalog.concat_ws(', ',
    case c.relkind when 'r' then 'table' when 'v' then 'view' when 'm' then 'materialized view'
      when 'f' then 'foreign table' when 'p' then 'partitioned table' else c.relkind::text end,
    case when scope.is_log and c.relpersistence <> 'p' then 'not permanent' end,
    case when scope.is_log then (select am.amname from pg_catalog.pg_am am where am.oid = c.relam) end,
    case when c.relrowsecurity or c.relforcerowsecurity then 'row security' end,
    case when c.relispartition then 'partition' end,
    case when c.reloftype <> 0 then 'of a type' end,
    case when exists (select from pg_catalog.pg_inherits i where i.inhparent = c.oid)
      then 'with children' end,
    case when exists (select from pg_catalog.pg_inherits i where i.inhrelid = c.oid)
      then 'a child' end) as text, not scope.is_log as harmless
  from own c, lateral (select c.relname = any(${logTables}) as is_log) scope
  where c.relkind in ('r', 'v', 'm', 'f', 'p')`;

const columns = sql`
  select 'column', c.relname || '.' || a.attname, pg_catalog.concat_ws(' ',
    case when tn.nspname <> 'pg_catalog' then 'in ' || tn.nspname || ':' end,
    pg_catalog.format_type(a.atttypid, a.atttypmod),
    ${collation('a.attcollation')},
    case when a.attnotnull then 'not null' end,
    'default ' || pg_catalog.pg_get_expr(d.adbin, d.adrelid),
    case when a.attgenerated <> '' then 'generated' end,
    case when a.attidentity <> '' then 'identity' end), false
  from own c
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_catalog.pg_type ty on ty.oid = a.atttypid
  join pg_catalog.pg_namespace tn on tn.oid = ty.typnamespace
  left join pg_catalog.pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relname = any(${logTables})`;

/**
 * An index of the operator is harmless if it only makes things faster: a unique one refuses events, and a function or
 * operator class that is not PostgreSQL's own runs with each event. Only those are in `pg_depend`.
 */
const indexes = sql`
  select 'index', i.relname::text, pg_catalog.concat_ws(' ',
    'on', c.relname, case when x.indisunique then 'unique' end,
    case when not (x.indisvalid and x.indisready and x.indislive) then 'not valid' end, am.amname,
    (select pg_catalog.string_agg(
       pg_catalog.pg_get_indexdef(x.indexrelid, part.nth::int, false) || ' ' ||
         case when n.nspname = 'pg_catalog' then '' when ${inExtension('pg_opclass', 'oc.oid', 'pg_trgm')}
           then 'pg_trgm.' else n.nspname || '.' end || oc.opcname || ' ' || x.indoption[part.nth - 1]::text
         || coalesce(' ' || ${collation('x.indcollation[part.nth - 1]')}, ''),
       ', ' order by part.nth)
     from pg_catalog.unnest(x.indclass::pg_catalog.oid[]) with ordinality as part (opclass, nth)
     join pg_catalog.pg_opclass oc on oc.oid = part.opclass
     join pg_catalog.pg_namespace n on n.oid = oc.opcnamespace),
    'where ' || pg_catalog.pg_get_expr(x.indpred, x.indrelid)),
    not x.indisunique and not x.indisexclusion and not exists (
      select from pg_catalog.pg_depend used
      where used.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and used.objid = i.oid
        and used.refclassid <> 'pg_catalog.pg_class'::pg_catalog.regclass
        and used.refobjid >= ${sql.lit(firstUserOid)})
  from own c
  join pg_catalog.pg_index x on x.indrelid = c.oid
  join pg_catalog.pg_class i on i.oid = x.indexrelid
  join pg_catalog.pg_am am on am.oid = i.relam
  where c.relname = any(${logTables})`;

const constraints = sql`
  select 'constraint', c.relname || '.' || k.conname, pg_catalog.pg_get_constraintdef(k.oid), false
  from own c join pg_catalog.pg_constraint k on k.conrelid = c.oid
  where c.relname = any(${logTables}) and k.contype <> 'n'`;

/** On all our tables, because a trigger on any of them could change the log. */
const triggers = sql`
  select 'trigger', c.relname || '.' || t.tgname, pg_catalog.pg_get_triggerdef(t.oid, true) ||
    case t.tgenabled when 'O' then '' when 'D' then ', switched off' else ', ' || t.tgenabled::text end, false
  from own c join pg_catalog.pg_trigger t on t.tgrelid = c.oid
  where not t.tgisinternal or t.tgenabled <> 'O'`;

const rules = sql`
  select 'rule', c.relname || '.' || r.rulename, '', false
  from own c join pg_catalog.pg_rewrite r on r.ev_class = c.oid
  where c.relkind in ('r', 'p')
  union all
  select 'policy', c.relname || '.' || p.polname, '', false
  from own c join pg_catalog.pg_policy p on p.polrelid = c.oid
  where c.relname = any(${logTables})`;

const functionText = (f: string, language: string) =>
  sql.raw(`pg_catalog.concat_ws(' ', ${language}, ${f}.prokind, ${f}.provolatile, ${f}.proparallel,
    ${f}.prosecdef, ${f}.proleakproof, ${f}.proisstrict, ${f}.prosupport, pg_catalog.pg_get_function_arguments(${f}.oid),
    pg_catalog.pg_get_function_result(${f}.oid), ${f}.proconfig::pg_catalog.text, ${f}.prosrc,
    pg_catalog.pg_get_function_sqlbody(${f}.oid))`);

const functionName = sql`f.proname || '(' || pg_catalog.pg_get_function_identity_arguments(f.oid) || ')'`;
const operatorName = sql`o.oprname || '(' || pg_catalog.format_type(o.oprleft, null) || ', ' ||
    pg_catalog.format_type(o.oprright, null) || ')'`;

/** PostgreSQL prefers a function or operator in our schema to a built-in one if its argument types fit better. */
const functions = (schema: string) => sql`
  select 'function', ${functionName},
    ${functionText('f', 'l.lanname')}, false
  from pg_catalog.pg_proc f
  join pg_catalog.pg_namespace n on n.oid = f.pronamespace
  join pg_catalog.pg_language l on l.oid = f.prolang
  where n.nspname = ${schema} and not ${isOfTrgm('f')}
  union all
  select 'operator', ${operatorName}, '', false
  from pg_catalog.pg_operator o join pg_catalog.pg_namespace n on n.oid = o.oprnamespace
  where n.nspname = ${schema} and not ${operatorIsOfTrgm('o')}`;

/**
 * Functions, operators, types and collations that are not PostgreSQL's own, where one of our tables or views uses
 * them: in an index, default, constraint, statistics object, policy, rule or column. They run with each change.
 */
const uses = (names: readonly string[]) => sql`
  select distinct 'use of', case d.refclassid::pg_catalog.regclass::text
      when 'pg_proc' then 'function ' || d.refobjid::pg_catalog.regprocedure::text
      when 'pg_operator' then 'operator ' || d.refobjid::pg_catalog.regoperator::text
      when 'pg_collation' then 'collation ' || d.refobjid::pg_catalog.regcollation::text
      else 'type ' || pg_catalog.format_type(d.refobjid, null) end || ' in ' || c.relname, '', false
  from own c
  join lateral (
    values ('pg_catalog.pg_class'::pg_catalog.regclass, c.oid)
    union all select 'pg_catalog.pg_class'::pg_catalog.regclass, x.indexrelid
      from pg_catalog.pg_index x where x.indrelid = c.oid
    union all select 'pg_catalog.pg_attrdef'::pg_catalog.regclass, a.oid
      from pg_catalog.pg_attrdef a where a.adrelid = c.oid
    union all select 'pg_catalog.pg_constraint'::pg_catalog.regclass, k.oid
      from pg_catalog.pg_constraint k where k.conrelid = c.oid
    union all select 'pg_catalog.pg_statistic_ext'::pg_catalog.regclass, s.oid
      from pg_catalog.pg_statistic_ext s where s.stxrelid = c.oid
    union all select 'pg_catalog.pg_policy'::pg_catalog.regclass, p.oid
      from pg_catalog.pg_policy p where p.polrelid = c.oid
    union all select 'pg_catalog.pg_rewrite'::pg_catalog.regclass, r.oid
      from pg_catalog.pg_rewrite r where r.ev_class = c.oid
  ) as part (class, oid) on true
  join pg_catalog.pg_depend d on d.classid = part.class and d.objid = part.oid
  where c.relname = any(${names}) and d.refobjid >= ${sql.lit(firstUserOid)} and d.deptype in ('n', 'a')
    and d.refclassid in ('pg_catalog.pg_proc'::pg_catalog.regclass, 'pg_catalog.pg_operator'::pg_catalog.regclass,
      'pg_catalog.pg_type'::pg_catalog.regclass, 'pg_catalog.pg_collation'::pg_catalog.regclass)`;

/** Built-in objects that a superuser has replaced, and tables that PostgreSQL finds before ours. */
const builtIn = (names: readonly string[]) => sql`
  select 'built-in table', c.relname::text, '', false
  from pg_catalog.pg_class c
  where c.relnamespace = 'pg_catalog'::pg_catalog.regnamespace and c.relname = any(${names})
  union all
  select 'built-in function', f.oid::pg_catalog.regprocedure::text, '', false
  from pg_catalog.pg_proc f join pg_catalog.pg_language l on l.oid = f.prolang
  where f.pronamespace = 'pg_catalog'::pg_catalog.regnamespace
    and (f.oid >= ${sql.lit(firstUserOid)} and not (l.lanname = 'c' and ${inExtension('pg_proc', 'f.oid')})
      or f.oid < ${sql.lit(firstUserOid)} and l.lanname not in ('internal', 'c')
        and not (l.lanname = 'sql' and f.proname = any(${writtenInSql})))
  union all
  select 'built-in aggregate', a.aggfnoid::pg_catalog.regprocedure::text, '', false
  from pg_catalog.pg_aggregate a
  where a.aggfnoid::pg_catalog.oid < ${sql.lit(firstUserOid)} and (
    select pg_catalog.max(part.oid) from (values
      (a.aggtransfn::pg_catalog.oid), (a.aggfinalfn::pg_catalog.oid), (a.aggcombinefn::pg_catalog.oid),
      (a.aggserialfn::pg_catalog.oid), (a.aggdeserialfn::pg_catalog.oid), (a.aggmtransfn::pg_catalog.oid),
      (a.aggminvtransfn::pg_catalog.oid), (a.aggmfinalfn::pg_catalog.oid), (a.aggsortop)) as part (oid)
  ) >= ${sql.lit(firstUserOid)}
  union all
  select 'built-in operator', o.oid::pg_catalog.regoperator::text, '', false
  from pg_catalog.pg_operator o
  where o.oprnamespace = 'pg_catalog'::pg_catalog.regnamespace
    and o.oid >= ${sql.lit(firstUserOid)} and not (${inExtension('pg_operator', 'o.oid')} and exists (
      select from pg_catalog.pg_proc f join pg_catalog.pg_language l on l.oid = f.prolang
      where f.oid = o.oprcode and l.lanname = 'c'))
  union all
  select 'operator family', family.opfname || ' of ' || am.amname, '', false
  from pg_catalog.pg_opfamily family join pg_catalog.pg_am am on am.oid = family.opfmethod
  where (family.oid < ${sql.lit(firstUserOid)} or ${inExtension('pg_opfamily', 'family.oid', 'pg_trgm')}) and (
    exists (
      select from pg_catalog.pg_amproc p join pg_catalog.pg_proc f on f.oid = p.amproc
      where p.amprocfamily = family.oid and f.oid >= ${sql.lit(firstUserOid)} and not ${isOfTrgm('f')})
    or exists (
      select from pg_catalog.pg_amop p join pg_catalog.pg_operator o on o.oid = p.amopopr
      where p.amopfamily = family.oid and o.oid >= ${sql.lit(firstUserOid)} and not ${operatorIsOfTrgm('o')}))
  union all
  select 'cast', pg_catalog.format_type(k.castsource, null) || ' to ' ||
    pg_catalog.format_type(k.casttarget, null), '', false
  from pg_catalog.pg_cast k
  where k.oid >= ${sql.lit(firstUserOid)}
    and k.castsource < ${sql.lit(firstUserOid)} and k.casttarget < ${sql.lit(firstUserOid)}`;

/**
 * What runs in a session before Burgee's first statement. Settings count for accounts that could be Burgee's: providers
 * of databases set all kinds of things for accounts of their own, which are superusers or have no business in the log.
 */
const sessions = sql`
  select 'event trigger', e.evtname::text, '', false
  from pg_catalog.pg_event_trigger e where e.evtevent = 'login' and e.evtenabled <> 'D'
  union all
  select 'setting', setting.pair ||
    case when s.setrole = 0 then ' of the database' else ' of the account ' || pg_catalog.pg_get_userbyid(s.setrole) end,
    '', false
  from pg_catalog.pg_db_role_setting s, pg_catalog.unnest(s.setconfig) as setting (pair)
  where s.setdatabase in (0, (select d.oid from pg_catalog.pg_database d
      where d.datname = pg_catalog.current_database()))
    and (s.setrole = 0 or exists (
      select from pg_catalog.pg_roles account where account.oid = s.setrole and (
        account.rolname = session_user or exists (
          select from own c where c.relname = 'events' and (c.relowner = account.oid
            or not account.rolsuper
              and pg_catalog.has_table_privilege(account.oid, c.oid, 'insert'))))))`;

/** With only PostgreSQL's catalogue in the search path, no one else's operators can influence the check. */
const setPath = (db: Db, path: string) =>
  sql`select pg_catalog.set_config('search_path', ${path}, true)`.execute(db);

const getPath = async (db: Db) => {
  const { rows } = await sql<{ path: string }>`
    select pg_catalog.current_setting('search_path') as path`.execute(db);
  return rows[0]?.path;
};

/** All objects, sorted. Functions have a digest. Must run in a transaction. */
export async function listSchemaObjects(db: Db, schema: string): Promise<readonly SchemaObject[]> {
  await setPath(db, catalogueOnly);
  if ((await getPath(db)) !== catalogueOnly)
    throw new Error('listSchemaObjects must run in a transaction');
  const names = [...namesOf('table'), ...namesOf('view')];
  const { rows } = await sql<SchemaObject>`
    with own as (
      select c.* from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where n.nspname = ${schema}
    )
    ${tables} union all ${columns} union all ${indexes} union all ${constraints}
    union all ${triggers} union all ${rules} union all ${functions(schema)}
    union all ${uses(names)} union all ${builtIn(names)} union all ${sessions}`.execute(db);
  await setPath(db, searchPath(schema));
  return rows
    .filter(
      ({ kind, name }) => kind !== 'setting' || !isHarmlessSetting(name.split('=')[0] as string),
    )
    .map((part) => ({ ...part, text: comparableText(part, schema) }))
    .sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
}

/** Tables come first, because a view instead of a table differs in its columns, too. */
const sortKey = ({ kind, name }: SchemaObject) => `${kind === 'table' ? 0 : 1} ${kind} ${name}`;

const catalogueOnly = 'pg_catalog, pg_temp';

/**
 * The text without the schema of the installation, which only these two kinds of objects mention. In the source of a
 * function, the name of the schema can change the meaning: `public.date` may be another type than `date`.
 */
function comparableText({ kind, text }: SchemaObject, schema: string): string {
  if (kind === 'trigger') return text.replaceAll(`${schema}.`, '');
  if (kind !== 'function') return text;
  // Migrations give some functions a search path.
  return sha256(text.replace(`search_path=${schema}, pg_temp`, 'search_path')).toString('hex');
}

/** One line per object, as in `expected-structure.ts`, which lists the objects that the migrations create. */
export const lineOf = ({ kind, name, text }: SchemaObject): string =>
  `${kind} ${name} = ${text}`.trimEnd();

const asMap = (lines: string): Map<string, string> =>
  new Map(
    lines
      .trim()
      .split('\n')
      .map((line) => {
        const [key = '', ...text] = line.split(' = ');
        return [key, text.join(' = ')];
      }),
  );

/** The names of the tables, views or functions that the migrations create. */
export const namesOf = (kind: 'table' | 'view' | 'function'): string[] =>
  expectedStructure
    .trim()
    .split('\n')
    .filter((line) =>
      kind === 'function'
        ? line.startsWith('function ')
        : line.startsWith('table ') && line.endsWith(' = view') === (kind === 'view'),
    )
    .map((line) => /^\w+ (\w+)/.exec(line)?.[1] as string);

/** The name of the extension to which a function or operator in our schema belongs, quoted if it has to be. */
async function findExtensionOf(
  db: Db,
  schema: string,
  { kind, name }: SchemaObject,
): Promise<string | undefined> {
  await setPath(db, catalogueOnly);
  const { rows } = await sql<{ extension: string }>`
    select pg_catalog.quote_ident(e.extname) as extension
    from pg_catalog.pg_extension e
    join pg_catalog.pg_depend d on d.refobjid = e.oid and d.deptype = 'e'
      and d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass
    left join pg_catalog.pg_proc f on f.oid = d.objid
      and d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass
    left join pg_catalog.pg_operator o on o.oid = d.objid
      and d.classid = 'pg_catalog.pg_operator'::pg_catalog.regclass
    where coalesce(f.pronamespace, o.oprnamespace) = pg_catalog.to_regnamespace(pg_catalog.quote_ident(${schema}))
      and ${name} = case ${kind}::text when 'function' then ${functionName} when 'operator' then ${operatorName} end`.execute(
    db,
  );
  await setPath(db, searchPath(schema));
  return rows[0]?.extension;
}

/**
 * An extension in our schema is refused although it is usually harmless: its owner can add anything to it, so nothing
 * shows that a function is the extension's own.
 */
async function unexpected(db: Db, schema: string, part: SchemaObject): Promise<LogFault> {
  const found = `The database contains the ${part.kind} ${part.name}`;
  const extension = await findExtensionOf(db, schema, part);
  if (extension === undefined) return structureFault(`${found}, which Burgee did not create`);
  return structureFault(
    `${found} of the extension ${extension} in Burgee's schema, where it could replace functions of PostgreSQL. ` +
      `Move the extension: CREATE SCHEMA IF NOT EXISTS extensions; ALTER EXTENSION ${extension} SET SCHEMA extensions;`,
  );
}

const structureFault = (message: string) => fault('structure', 0, message);

/** Settings of the server that hide rows or silence triggers. Only a superuser can change them. */
const serverSettings = {
  session_replication_role: 'origin',
  zero_damaged_pages: 'off',
  ignore_checksum_failure: 'off',
  ignore_system_indexes: 'off',
};

/** A setting that reads differently in this session than Burgee sets it, or than PostgreSQL does by default. */
async function findChangedSetting(db: Db, schema: string): Promise<string | undefined> {
  const { search_path: _path, ...fixed } = sessionSettings(schema);
  const expected = Object.entries({ ...fixed, ...serverSettings });
  const { rows } = await sql<{ name: string; value: string; initial: string }>`
    select s.name, s.setting as value, s.reset_val as initial from pg_catalog.pg_settings s
    where s.name = any(${expected.map(([name]) => name)})`.execute(db);
  for (const [name, wanted] of expected) {
    const found = rows.find((row) => row.name === name);
    // What the session began with: a restore silences triggers for a while.
    const value = name in serverSettings ? found?.initial : found?.value;
    // PostgreSQL adds the order of day and month: 'ISO, MDY'.
    const [first] = (value ?? '').split(', ');
    if (found && first !== String(wanted)) return `${name} is ${value} instead of ${wanted}`;
  }
  return undefined;
}

/**
 * Finds what differs from the schema that the migrations create: a view instead of a table, or a foreign rule, trigger
 * or function. Such an object could return a forged log.
 */
export async function findStructureFault(db: Db, schema: string): Promise<LogFault | undefined> {
  const path = await getPath(db);
  if (path !== searchPath(schema)) {
    return structureFault(
      `Something in the database changed the search path of this session: ${path}`,
    );
  }
  const setting = await findChangedSetting(db, schema);
  if (setting !== undefined) {
    return structureFault(
      `Something in the database changed a setting of this session: ${setting}`,
    );
  }
  const missing = asMap(expectedStructure);
  for (const part of await listSchemaObjects(db, schema)) {
    const key = `${part.kind} ${part.name}`;
    const text = missing.get(key);
    if (text === undefined && !part.harmless) return unexpected(db, schema, part);
    if (text !== undefined && text !== part.text) {
      const seen = part.kind === 'function' ? '' : `: ${part.text}`;
      return structureFault(`The ${key} differs from this version of Burgee${seen}`);
    }
    missing.delete(key);
  }
  for (const key of missing.keys()) return structureFault(`The ${key} is missing`);
  return undefined;
}
