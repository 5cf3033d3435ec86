import {
  createPreparedResponses,
  type PreparedResponse,
} from '../../../platform/http/prepared-response.ts';
import type { Definitions, Snapshot } from '../snapshot/index.ts';
import type { Content } from './content.ts';
import { type ContentName, createFindNamed, hydrationJson, nameOf, updateJson } from './delta.ts';
import { featuresJson, type StreamFormat } from './features.ts';

/** The responses of the API, each prepared once for all clients. */
export interface ClientResponses {
  /** All features of a view, for /api/client/features. */
  readonly features: (content: Content, inlined: boolean) => PreparedResponse;
  /** The whole content, for a client without content or with unknown content. */
  readonly hydration: (content: Content) => PreparedResponse;
  /** The whole content in the format of a stream. */
  readonly everything: (content: Content, format: StreamFormat) => PreparedResponse;
  /** The changes since the named content; undefined if that is unknown. */
  readonly update: (
    content: Content,
    named: ContentName,
    snapshot: Snapshot,
  ) => PreparedResponse | undefined;
}

const maxCachedBytes = 64 * 1024 * 1024;
const level = 6;

/** A weak tag, because plain and compressed responses share it. */
const entityTagOf = (name: string): string => `W/"${name}"`;

export function createClientResponses(
  definitions: Pick<Definitions, 'changesBehind'>,
): ClientResponses {
  const prepare = createPreparedResponses({ maxBytes: maxCachedBytes, level });
  const findNamed = createFindNamed(definitions);

  const features: ClientResponses['features'] = (content, inlined) => {
    const queryHash = `${content.view.digest}${inlined ? '.inlined' : ''}`;
    const etag = entityTagOf(`${queryHash}:${content.fingerprint}`);
    return prepare({
      key: `features ${queryHash}`,
      version: content,
      entityTag: etag,
      pieces: () =>
        featuresJson(content, inlined, { revisionId: content.revision, etag, queryHash }),
    });
  };
  const hydration: ClientResponses['hydration'] = (content) =>
    prepare({
      key: `hydration ${content.view.digest}`,
      version: content,
      entityTag: entityTagOf(nameOf(content)),
      pieces: () => hydrationJson(content),
    });
  return {
    features,
    hydration,
    everything: (content, format) =>
      format === 'changes' ? hydration(content) : features(content, format === 'features inlined'),
    update(content, named, snapshot) {
      const before = findNamed(named, content.view, snapshot);
      if (!before) return undefined;
      // After an interruption many clients return with the same content.
      return prepare({
        key: `update ${content.view.digest} ${named.revision}:${named.fingerprint}`,
        version: content,
        entityTag: entityTagOf(nameOf(content)),
        pieces: () => updateJson(before, content),
      });
    },
  };
}
