import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cases, codeFor, expected } from './receiver-cases.ts';

/** A case as one line of words, which the standard library of Java can read. */
const inWords = (each: (typeof cases)[number]) => {
  const headers: Readonly<Record<string, string | undefined>> = each.headers;
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  return [each.secret, each.body, ...names.map((name) => headers[name] ?? '')]
    .map((text) => `=${Buffer.from(text).toString('base64')}`)
    .join(' ');
};

const hasJava = spawnSync('java', ['--list-modules']).stdout?.includes('jdk.compiler') ?? false;

describe('the sample code for receivers distinguishes deliveries from forgeries', () => {
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
