import type { IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';

export interface StreamEvent {
  readonly id: string | undefined;
  readonly name: string;
  readonly data: string;
}

/** More than the largest hydration event. */
const maxCharacters = 256 * 1024 * 1024;

/** Parses server-sent events. Returns a function that takes the text as it arrives. */
export function createEventParser(
  onEvent: (event: StreamEvent) => void,
  onComment: (text: string) => void = () => undefined,
): (text: string) => void {
  /** The beginning of a line, as it arrived: the line of a large event has hundreds of pieces. */
  let pieces: string[] = [];
  let length = 0;
  let id: string | undefined;
  let name = '';
  let data: string[] = [];

  function take(line: string): void {
    if (line === '') {
      if (data.length > 0) onEvent({ id, name: name || 'message', data: data.join('\n') });
      name = '';
      data = [];
      return;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (colon === 0) onComment(value);
    else if (field === 'id') id = value;
    else if (field === 'event') name = value;
    else if (field === 'data') data.push(value);
  }

  return (text) => {
    pieces.push(text);
    length += text.length;
    if (length > maxCharacters) throw new Error('an event is too large');
    if (!text.includes('\n')) return;
    const lines = pieces.join('').split('\n');
    const rest = lines.pop() as string;
    pieces = [rest];
    length = rest.length;
    for (const line of lines) take(line.endsWith('\r') ? line.slice(0, -1) : line);
  };
}

interface Listening {
  readonly onEvent: (event: StreamEvent) => void;
  readonly onComment: (text: string) => void;
  /** Called with everything that arrives, comments included, after it was read. */
  readonly onSign: (text: string) => void;
  readonly silentMs: number;
  readonly signal: AbortSignal;
}

/** Reads a stream to its end. A stream that is silent for `silentMs` has ended, too. Rejects if an event is refused. */
export const readEventStream = (
  incoming: IncomingMessage,
  { onEvent, onComment, onSign, silentMs, signal }: Listening,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const decoder = new StringDecoder('utf8');
    const parse = createEventParser(onEvent, onComment);
    const end = () => {
      clearTimeout(silence);
      signal.removeEventListener('abort', end);
      incoming.destroy();
      resolve();
    };
    const silence = setTimeout(end, silentMs);
    signal.addEventListener('abort', end);
    incoming.on('data', (chunk: Buffer) => {
      silence.refresh();
      try {
        const text = decoder.write(chunk);
        parse(text);
        onSign(text);
      } catch (error) {
        reject(error);
        end();
      }
    });
    incoming.on('end', end);
    incoming.on('error', end);
    incoming.on('close', end);
    if (signal.aborted) end();
  });
