import type { TestApp } from '../support/app.ts';
import { make } from '../support/make.ts';

/** One feature for each kind of evaluation in SDKs. */
export async function makeDecided(ask: TestApp['ask'], halfSticksTo: string): Promise<void> {
  const create = make(ask);
  const { id } = await create.segment('beta', {
    constraints: [{ contextName: 'userId', operator: 'IN', values: ['1', '2'] }],
  });
  for (const name of ['on', 'off', 'half', 'segmented', 'constrained', 'varied', 'child']) {
    await create.feature(name);
  }
  await create.switchedOn('on');
  await create.strategy('off');
  await create.strategy('half', { parameters: { rollout: '50', stickiness: halfSticksTo } });
  await create.strategy('segmented', { segments: [id] });
  await create.strategy('constrained', {
    constraints: [{ contextName: 'region', operator: 'STR_STARTS_WITH', values: ['eu-'] }],
  });
  await create.strategy('varied', {
    parameters: { rollout: '100', stickiness: 'userId' },
    variants: [
      {
        name: 'red',
        weight: 500,
        weightType: 'variable',
        stickiness: 'userId',
        payload: { type: 'string', value: 'ff0000' },
      },
      { name: 'blue', weight: 500, weightType: 'variable', stickiness: 'userId' },
    ],
  });
  await create.dependency('child', 'varied', { variants: ['red'] });
  for (const name of ['half', 'segmented', 'constrained', 'varied', 'child']) {
    await create.switchedOn(name);
  }
}
