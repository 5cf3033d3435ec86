/** Text as a string of the language that a snippet is written in, whatever characters it has. */
export const quoted = {
  /** JavaScript, in single quotes. */
  js: (text: string): string =>
    `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
  /** Python, Java, Go and C# have the escapes of JSON. */
  json: (text: string): string => JSON.stringify(text),
  /** Ruby and PHP, in single quotes, where nothing is interpolated. */
  single: (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  shell: (text: string): string => `'${text.replaceAll("'", "'\\''")}'`,
};

/** Text in a comment of PHP, which the end of PHP code would end. */
export const inPhpComment = (text: string): string => text.replaceAll('?>', '? >');
