/** Programs ask again and again with the same context: for so many it is known what they were told. */
const maxTags = 10_000;
/** Longer ones would take more room than they are worth. */
const maxQuestion = 2_000;
const maxBodyBytes = 32 * 1024 * 1024;
/** What a body takes beside itself and its name: many are as short as an empty list. */
const overheadBytes = 300;

const bytesOf = (name: string, body: Buffer): number => overheadBytes + name.length + body.length;

/**
 * What is left when there is no more room: to find the oldest one by one, behind the places of all that were, made
 * 250,000 answers take 14 s.
 */
const keptShare = 0.9;

interface AnswerMemory {
  /** The tag of what a question was answered with. */
  readonly tagOf: (question: string) => string | undefined;
  readonly rememberTag: (question: string, entityTag: string) => void;
  /** The list of that name; composed where it is not known. Whoever is told the same shares it. */
  readonly bodyOf: (name: string, compose: () => Buffer) => Buffer;
  readonly findBody: (name: string) => Buffer | undefined;
}

/** What was asked for last is forgotten last. */
function createRecent<Value>() {
  const known = new Map<string, Value>();
  return {
    known,
    find(key: string): Value | undefined {
      const found = known.get(key);
      if (found !== undefined) {
        known.delete(key);
        known.set(key, found);
      }
      return found;
    },
  };
}

/**
 * Remembers answers to questions that have one answer: 60 kB for 450 features that are on, of which the
 * decisions take 0.1 ms.
 */
export function createAnswerMemory(): AnswerMemory {
  const tags = createRecent<string>();
  const bodies = createRecent<Buffer>();
  let bytes = 0;

  return {
    tagOf: tags.find,
    rememberTag(question, entityTag) {
      if (question.length > maxQuestion) return;
      tags.known.set(question, entityTag);
      if (tags.known.size <= maxTags) return;
      for (const oldest of tags.known.keys()) {
        if (tags.known.size <= keptShare * maxTags) break;
        tags.known.delete(oldest);
      }
    },
    findBody: bodies.find,
    bodyOf(name, compose) {
      const found = bodies.find(name);
      if (found) return found;
      const body = compose();
      bodies.known.set(name, body);
      bytes += bytesOf(name, body);
      if (bytes <= maxBodyBytes) return body;
      for (const [oldest, each] of bodies.known) {
        if (bytes <= keptShare * maxBodyBytes) break;
        bodies.known.delete(oldest);
        bytes -= bytesOf(oldest, each);
      }
      return body;
    },
  };
}
