import { expect, test } from 'vitest';
import { changeText, type ProjectForm } from './project-form.ts';

const naming = { pattern: 'pay-.+', example: 'pay-now', description: 'The team' };
const before: ProjectForm = {
  name: 'Shop',
  description: '',
  mode: 'open',
  defaultStickiness: 'default',
  featureNaming: naming,
  featureLimit: null,
  maxStale: 5,
  minHealth: null,
  autoStale: false,
  asksBeforeProduction: true,
  linkTemplates: [],
};

test.each<[keyof ProjectForm, Partial<ProjectForm>, string]>([
  ['name', { name: 'Web shop' }, 'name “Shop” → “Web shop”'],
  ['mode', { mode: 'private' }, 'project mode Open → Private'],
  ['featureLimit', { featureLimit: 1_500 }, 'feature limit none → 1,500'],
  ['maxStale', { maxStale: null }, 'cleanup budget 5 → none'],
  ['minHealth', { minHealth: 80 }, 'minimum health none → 80%'],
  ['autoStale', { autoStale: true }, 'automatic stale marking on'],
  ['asksBeforeProduction', { asksBeforeProduction: false }, 'production confirmation off'],
  [
    'featureNaming',
    { featureNaming: { ...naming, pattern: 'buy-.+' } },
    'naming pattern pay-.+ → buy-.+',
  ],
  [
    'featureNaming',
    { featureNaming: { ...naming, example: 'pay-later' } },
    'naming pattern example',
  ],
  [
    'featureNaming',
    { featureNaming: { ...naming, description: 'Us' } },
    'naming pattern description',
  ],
])('the save bar names a change of %s to %j', (field, change, text) => {
  expect(changeText(field, before, { ...before, ...change })).toBe(text);
});
