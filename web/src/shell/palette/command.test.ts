import { expect, test } from 'vitest';
import { commandOf } from './command.ts';

test.each([
  ['dark-mode', { verb: undefined, name: 'dark-mode', environment: undefined }],
  ['enable dark-mode', { verb: 'Enable', name: 'dark-mode', environment: undefined }],
  ['Turn off dark-mode', { verb: 'Disable', name: 'dark-mode', environment: undefined }],
  ['disable dark-mode in', { verb: 'Disable', name: 'dark-mode', environment: undefined }],
  ['enable dark-mode in Prod', { verb: 'Enable', name: 'dark-mode', environment: 'prod' }],
  ['dark-mode in dev', { verb: undefined, name: 'dark-mode', environment: 'dev' }],
  // The beginning of a verb may be the name of a feature.
  ['enable', { verb: undefined, name: 'enable', environment: undefined }],
  ['enable in production', undefined],
  ['pay checkout', undefined],
  ['', undefined],
])('the palette reads %j as the command %j', (typed, command) => {
  expect(commandOf(typed)).toEqual(command);
});
