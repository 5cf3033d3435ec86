import type { TestApp } from '../support/app.ts';
import { make } from '../support/make.ts';

/** One feature of each kind on which SDKs decide. */
export async function makeDecided(ask: TestApp['ask'], halfSticksTo: string): Promise<void> {
  const to = make(ask);
  const { id } = await to.segment('beta', {
    constraints: [{ contextName: 'userId', operator: 'IN', values: ['1', '2'] }],
  });
  for (const name of ['on', 'off', 'half', 'segmented', 'constrained', 'varied', 'child']) {
    await to.feature(name);
  }
  await to.switchedOn('on');
  await to.strategy('off');
  await to.strategy('half', { parameters: { rollout: '50', stickiness: halfSticksTo } });
  await to.strategy('segmented', { segments: [id] });
  await to.strategy('constrained', {
    constraints: [{ contextName: 'region', operator: 'STR_STARTS_WITH', values: ['eu-'] }],
  });
  await to.strategy('varied', {
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
  await to.dependency('child', 'varied', { variants: ['red'] });
  for (const name of ['half', 'segmented', 'constrained', 'varied', 'child']) {
    await to.switchedOn(name);
  }
}
