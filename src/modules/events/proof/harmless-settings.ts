/**
 * Settings of an account or a database that cannot change what Burgee reads or writes. Any other setting in
 * `pg_db_role_setting` is reported: no one can foresee what later versions of PostgreSQL add.
 */
const harmless: readonly (string | RegExp)[] = [
  // Every session of Burgee sets these itself, and others have good reasons to set them.
  ...['search_path', 'timezone', 'datestyle', 'intervalstyle', 'bytea_output'],
  ...['extra_float_digits', 'client_encoding', 'default_transaction_isolation'],
  // Errors, not other results: missing permissions, refused changes.
  ...['role', 'default_transaction_read_only', 'default_transaction_deferrable'],
  ...['check_function_bodies', 'max_stack_depth', 'temp_file_limit', 'lo_compat_privileges'],
  'exit_on_error',
  // What Burgee does not use: formats of money and XML, full-text search, new tables, passwords.
  ...[/^lc_/, /^xml/, 'default_text_search_config', 'default_tablespace', 'temp_tablespaces'],
  ...['default_table_access_method', 'default_toast_compression', 'password_encryption'],
  ...['scram_iterations', 'createrole_self_grant', 'escape_string_warning', 'backslash_quote'],
  // Time and effort.
  ...[/_timeout$/, /_cost$/, /_work_mem$/, /_io_concurrency$/, /_collapse_limit$/, /^enable_/],
  ...[/^geqo/, /^jit/, /^io_/, /^vacuum_/, /^wal_/, /parallel/, 'work_mem', 'hash_mem_multiplier'],
  ...['temp_buffers', 'effective_cache_size', 'plan_cache_mode', 'constraint_exclusion'],
  ...['cursor_tuple_fraction', 'recursive_worktable_factor', 'default_statistics_target'],
  ...['gin_pending_list_limit', 'synchronous_commit', 'commit_delay', 'commit_siblings'],
  ...['backend_flush_after', 'client_connection_check_interval', /^tcp_/],
  // Logs and statistics.
  ...[/^log_/, /^track_/, 'client_min_messages', 'application_name', 'update_process_title'],
  ...['compute_query_id', 'stats_fetch_consistency'],
];

/** Extensions and other applications have settings with a dot. These two change how our functions run. */
const ownPrefixes = /^(burgee|plpgsql)\./;

export function isHarmlessSetting(name: string): boolean {
  const lower = name.toLowerCase();
  if (lower.includes('.')) return !ownPrefixes.test(lower);
  return harmless.some((each) => (typeof each === 'string' ? each === lower : each.test(lower)));
}
