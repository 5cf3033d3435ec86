import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hashOf } from '../hub/tokens.ts';
import { createServedTokens } from './served-tokens.ts';

test.each([
  ['is answered without its secret', async () => ({ served: [], unsuitable: [] })],
  ['fails', () => Promise.reject(new Error('away'))],
])(
  'a token of the last state is looked up only once in 10 seconds if the lookup %s',
  async (_, find) => {
    let asked = 0;
    const tokens = createServedTokens({
      find: () => {
        asked += 1;
        return find();
      },
    });
    const secret = '*:development.secret';
    tokens.take([
      {
        ...{
          hash: hashOf(secret),
          audience: 'client',
          environment: 'development',
          projects: 'all',
        },
        ...{ isValidated: true, isReady: true, isSecretUnknown: true },
      },
    ]);
    for (let times = 0; times < 20; times += 1) {
      expect(tokens.find(secret, '127.0.0.1')).toMatchObject({ isReady: true });
      await turn();
    }
    expect(asked).toBe(1);
  },
);
