/** What proxies that compress add to a tag of ours. */
const coding = /(?:--?|;)(?:gzip|br|deflate|zstd)$/;

/**
 * The names that If-None-Match holds, without what says that they are weak, and without what a proxy may have
 * added to them. `*` is one too.
 */
export function namesIn(header: string | undefined): readonly string[] {
  if (header === undefined) return [];
  return header.split(',').flatMap((each) => {
    const [, quoted] = /^(?:W\/)?"(.*)"$/.exec(each.trim()) ?? [];
    const name = quoted ?? each.trim();
    return coding.test(name) ? [name, name.replace(coding, '')] : [name];
  });
}

/** Weak: plain and compressed answers have the same. */
export const entityTagOf = (name: string): string => `W/"${name}"`;
