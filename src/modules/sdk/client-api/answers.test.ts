import { describe, expect, test } from 'vitest';
import type { Snapshot } from '../snapshot/index.ts';
import { createViewRenderer } from './answers.ts';
import { viewOf } from './view.ts';

const snapshot: Snapshot = { revision: 1, environments: new Map(), segments: new Map() };
const reach = { audience: 'client', environment: 'development', scopes: 'all' } as const;
const view = (namePrefix: string) => viewOf(reach, snapshot, { namePrefix });

describe('the cache of rendered views', () => {
  test('contains the last 10,000 views', () => {
    const renderView = createViewRenderer();
    const [first, second] = [renderView(snapshot, view('a')), renderView(snapshot, view('b'))];
    for (let number = 0; number < 9_998; number += 1) renderView(snapshot, view(`n${number}`));
    expect(renderView(snapshot, view('a'))).toBe(first);
    renderView(snapshot, view('one more'));
    expect(renderView(snapshot, view('a'))).toBe(first);
    expect(renderView(snapshot, view('b'))).not.toBe(second);
  });

  test('contains fewer views if their queries are long', () => {
    const renderView = createViewRenderer();
    const first = renderView(snapshot, view('a'));
    const long = 'x'.repeat(20_000);
    for (let number = 0; number < 1_000; number += 1)
      renderView(snapshot, view(`${long}${number}`));
    expect(renderView(snapshot, view('a'))).not.toBe(first);
  });

  test('keeps a view although another one had more responses than fit', () => {
    const renderView = createViewRenderer();
    const [first, busy] = [renderView(snapshot, view('a')), renderView(snapshot, view('b'))];
    const json = 'x'.repeat(600_000);
    for (let number = 0; number < 200; number += 1) {
      busy.answer(`behind ${number}`, String(number), () => [json]).plain();
    }
    expect(renderView(snapshot, view('a'))).toBe(first);
  });
});

test('a response whose compression failed is compressed for the next request', async () => {
  let times = 0;
  const renderView = createViewRenderer(async () => {
    times += 1;
    if (times === 1) throw new Error('no memory');
    return Buffer.from('packed');
  });
  const answer = renderView(snapshot, view('')).answer('kind', 'name', () => ['x'.repeat(5000)]);
  await expect(answer.gzipped()).rejects.toThrow('no memory');
  expect(String(await answer.gzipped())).toBe('packed');
  expect(String(await answer.gzipped())).toBe('packed');
  expect(times).toBe(2);
});

describe('a rendered response', () => {
  const piece = 'x'.repeat(1024 * 1024);
  function* pieces(count: number): Generator<string> {
    for (let nth = 0; nth < count; nth += 1) yield piece;
  }

  test('is rendered once for concurrent and later requests', async () => {
    let times = 0;
    const answer = createViewRenderer()(snapshot, view('')).answer('kind', 'name', () => {
      times += 1;
      return pieces(10);
    });
    const [one, other] = await Promise.all([answer.plain(), answer.plain()]);
    expect(one).toHaveLength(10 * piece.length);
    expect(other).toBe(one);
    expect(answer.plain()).toBe(one);
    expect(answer.atOnce()).toBe(one);
    expect(times).toBe(1);
  });

  test('is neither rendered completely nor compressed if it exceeds the cache', async () => {
    let times = 0;
    const answer = createViewRenderer()(snapshot, view('')).answer('kind', 'name', () => {
      times += 1;
      return pieces(1_000_000);
    });
    expect(await answer.plain()).toBeUndefined();
    expect(await answer.gzipped()).toBeUndefined();
    // Rendered once, and only up to the cache limit.
    expect(times).toBe(1);
  });
});
