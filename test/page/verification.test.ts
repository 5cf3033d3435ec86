import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  newSigningSecret,
  signatureHeaders,
} from '../../src/modules/integrations/providers/webhook/signature.ts';
import { verification } from '../../web/src/integrations/verify.ts';

const codeFor = (language: string) =>
  verification.find((each) => each.language === language)?.code ?? '';

const [secret, previous] = [newSigningSecret(), newSigningSecret()];
const body = '{"type":"feature-created","name":"ä"}';
const id = '019a0000-0000-7000-8000-000000000000';
const headersAt = (now: Date, secrets: readonly string[]) =>
  signatureHeaders({ id, now }, body, secrets);
const fresh = headersAt(new Date(), [secret, previous]);

/** What a receiver may get, and whether it is genuine. */
const cases = [
  { secret, headers: fresh, body, isOurs: true },
  { secret: previous, headers: fresh, body, isOurs: true },
  { secret: newSigningSecret(), headers: fresh, body, isOurs: false },
  { secret, headers: fresh, body: `${body} `, isOurs: false },
  { secret, headers: { ...fresh, 'webhook-id': 'another' }, body, isOurs: false },
  { secret, headers: headersAt(new Date(), []), body, isOurs: false },
  { secret, headers: headersAt(new Date(Date.now() - 600_000), [secret]), body, isOurs: false },
  // A forgery is rejected and causes no error in the receiver.
  { secret, headers: {}, body, isOurs: false },
  { secret, headers: { ...fresh, 'webhook-timestamp': 'soon' }, body, isOurs: false },
  { secret, headers: { ...fresh, 'webhook-signature': 'v1,ä' }, body, isOurs: false },
];
const expected = cases.map(({ isOurs }) => isOurs);

const answersOf = (command: string, args: readonly string[]) => {
  const { stdout, stderr, status } = spawnSync(command, args, {
    input: JSON.stringify(cases),
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

/** A case as one line of words, which the standard library of Java can read. */
const inWords = (each: (typeof cases)[number]) => {
  const headers: Readonly<Record<string, string | undefined>> = each.headers;
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  return [each.secret, each.body, ...names.map((name) => headers[name] ?? '')]
    .map((text) => `=${Buffer.from(text).toString('base64')}`)
    .join(' ');
};

const hasJava = spawnSync('java', ['--list-modules']).stdout?.includes('jdk.compiler') ?? false;

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

  test.skipIf(!hasJava)('in Java', () => {
    const asking = `
class Asking {
  public static void main(String[] lines) throws Exception {
    for (String line : lines) {
      String[] words = Arrays.stream(line.split(" "))
          .map(each -> new String(Base64.getDecoder().decode(each.substring(1)), StandardCharsets.UTF_8))
          .toArray(String[]::new);
      java.util.Map<String, String> headers = new java.util.HashMap<>();
      String[] names = {"webhook-id", "webhook-timestamp", "webhook-signature"};
      for (int i = 0; i < 3; i++) if (!words[i + 2].isEmpty()) headers.put(names[i], words[i + 2]);
      System.out.println(Burgee.isFromBurgee(
          words[0], headers::get, words[1].getBytes(StandardCharsets.UTF_8)));
    }
  }
}`;
    const folder = mkdtempSync(join(tmpdir(), 'burgee-java-'));
    const file = join(folder, 'Asking.java');
    // The class with `main` must be the first one of a file.
    const [imports, rest] = codeFor('Java').split(/(?=^final class)/m) as [string, string];
    writeFileSync(file, `${imports}${asking}\n${rest}`);
    const { stdout, stderr, status } = spawnSync('java', [file, ...cases.map(inWords)], {
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.trim().split('\n')).toEqual(expected.map(String));
  });
});
