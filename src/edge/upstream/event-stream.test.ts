import { expect, test } from 'vitest';
import { createEventParser, type StreamEvent } from './event-stream.ts';

test('a stream of events is parsed the same in chunks of any size', () => {
  const text =
    ': comment\r\nretry: 2000\nid: 7\nevent: unleash-updated\ndata: {"a":1,\ndata: "b":"ä"}\n\nid: 8\n\ndata: next\n\n';
  const expected: StreamEvent[] = [
    { id: '7', name: 'unleash-updated', data: '{"a":1,\n"b":"ä"}' },
    { id: '8', name: 'message', data: 'next' },
  ];
  for (const size of [1, 2, 5, 1000]) {
    const events: StreamEvent[] = [];
    const parse = createEventParser((event) => events.push(event));
    for (let at = 0; at < text.length; at += size) parse(text.slice(at, at + size));
    expect(events).toEqual(expected);
  }
});
