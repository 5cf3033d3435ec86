import type { TestApp } from '../support/app.ts';
import { make } from '../support/make.ts';

/** A project with two features, one of which is enabled in production for a segment. Returns the ID of the segment. */
export async function createBoutique(ask: TestApp['ask'], project: string): Promise<number> {
  const create = make(ask);
  await create.project(project);
  const { id: segment } = await create.segment('Nordic customers', {
    constraints: [{ contextName: 'country', operator: 'IN', values: ['DK', 'SE'] }],
  });
  for (const name of ['fitting-room', 'window-display']) await create.feature(name, { project });
  await create.strategy(
    'fitting-room',
    { name: 'default', title: 'Nordics', segments: [segment] },
    { project, environment: 'production' },
  );
  await create.switchedOn('fitting-room', { project, environment: 'production' });
  return segment;
}
