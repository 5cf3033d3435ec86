import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { cases, codeFor, expected } from './receiver-cases.ts';

const answersOf = (command: string, args: readonly string[]) => {
  const { stdout, stderr, status } = spawnSync(command, args, {
    input: JSON.stringify(cases),
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('the sample code for receivers distinguishes deliveries from forgeries', () => {
  test('in Node', () => {
    const asking = `import { readFileSync } from 'node:fs';
      const cases = JSON.parse(readFileSync(0, 'utf8'));
      console.log(JSON.stringify(cases.map((c) => isFromBurgee(c.secret, c.headers, c.body))));`;
    const code = `${codeFor('Node')}\n${asking}`;
    expect(answersOf(process.execPath, ['--input-type=module', '-e', code])).toEqual(expected);
  });

  test.skipIf(!hasPython)('in Python', () => {
    const asking = `import json, sys
cases = json.load(sys.stdin)
print(json.dumps([is_from_burgee(c["secret"], c["headers"], c["body"].encode()) for c in cases]))`;
    expect(answersOf('python3', ['-c', `${codeFor('Python')}\n${asking}`])).toEqual(expected);
  });
});
