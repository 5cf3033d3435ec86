import { createCache } from '../../../platform/cache.ts';

/** Programs ask again and again with the same context. The tags of so many answers are kept. */
const maxTags = 10_000;
/** The tags of longer questions would take more room than they are worth. */
const maxQuestion = 2_000;
const maxBodyBytes = 32 * 1024 * 1024;
/** What a body costs beside itself and its name: many are as short as an empty list. */
const overheadBytes = 300;

/**
 * Answers to questions that have one answer, by two steps: the tag of what a question was answered with, and the body
 * of a tag. 450 features that are on make 60 kB, which all who get the same answer share. To decide them takes 0.1 ms.
 */
export function createAnswerCache() {
  const tags = createCache<string, string>({ maxEntries: maxTags });
  const bodies = createCache<string, Buffer>({
    maxCost: maxBodyBytes,
    costOf: (body, name) => overheadBytes + name.length + body.length,
  });
  return {
    findTag: tags.get,
    setTag(question: string, entityTag: string): void {
      if (question.length <= maxQuestion) tags.set(question, entityTag);
    },
    findBody: bodies.get,
    /** The body of that name, which is composed where it is not known. */
    getBody(name: string, compose: () => Buffer): Buffer {
      const known = bodies.get(name);
      if (known) return known;
      const body = compose();
      bodies.set(name, body);
      return body;
    },
  };
}
