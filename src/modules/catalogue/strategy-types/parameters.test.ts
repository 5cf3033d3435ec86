import { describe, expect, test } from 'vitest';
import type { StrategyParameter } from './contract.ts';
import { parameterFaults } from './parameters.ts';

const parameter = (
  name: string,
  type: StrategyParameter['type'] = 'string',
  required = false,
): StrategyParameter => ({ name, type, description: '', required });

const pathsOf = (parameters: StrategyParameter[], given: Record<string, unknown>) =>
  parameterFaults(parameters, given, '/body/parameters').map(({ path }) => path);

describe('the parameters of a strategy', () => {
  test.each<[StrategyParameter['type'], unknown[], unknown[]]>([
    ['percentage', ['0', '100', 50, '7.0'], ['101', '-1', '7.5', 'x', '1e1', true]],
    [
      'number',
      ['0', '-1.5', '+2', '.5', '1.', '1e-3', 7],
      ['x', '0x10', 'NaN', 'Infinity', '1,5', '.', '1 2'],
    ],
    ['boolean', ['true', 'false', true, false], ['True', '1', 0, 'yes']],
    ['list', ['a', 'a,b', ',', 1], []],
    ['string', ['any text', 1, true], []],
  ])('are checked by their type: %s', (type, good, bad) => {
    const parameters = [parameter('own', type)];
    for (const own of good) expect(pathsOf(parameters, { own }), String(own)).toEqual([]);
    for (const own of bad) {
      expect(pathsOf(parameters, { own }), String(own)).toEqual(['/body/parameters/own']);
    }
  });

  test('that are required must be there, and not be blank', () => {
    const parameters = [parameter('a', 'list', true), parameter('b', 'number', true)];
    expect(pathsOf(parameters, {})).toEqual(['/body/parameters/a', '/body/parameters/b']);
    expect(pathsOf(parameters, { a: ' ', b: '' })).toHaveLength(2);
    expect(pathsOf(parameters, { a: 'x', b: 0 })).toEqual([]);
  });

  test('that are optional may be left out, or empty', () => {
    const parameters = [parameter('a', 'number'), parameter('b', 'boolean')];
    expect(pathsOf(parameters, { b: '' })).toEqual([]);
  });

  test('that the type does not know are kept', () => {
    expect(pathsOf([parameter('a')], { other: 'x' })).toEqual([]);
  });

  test('a bad rollout is reported once, by the rule for every rollout', () => {
    const parameters = [parameter('rollout', 'percentage', true)];
    expect(pathsOf(parameters, { rollout: '101' })).toEqual([]);
    expect(pathsOf(parameters, {})).toEqual(['/body/parameters/rollout']);
  });

  test('names that every object knows are not given by that', () => {
    expect(pathsOf([parameter('constructor', 'string', true)], {})).toEqual([
      '/body/parameters/constructor',
    ]);
  });

  test('a path escapes what means something in a JSON pointer', () => {
    expect(pathsOf([parameter('a/b~c', 'number')], { 'a/b~c': 'x' })).toEqual([
      '/body/parameters/a~1b~0c',
    ]);
  });
});
