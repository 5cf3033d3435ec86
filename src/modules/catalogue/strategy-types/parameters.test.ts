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

describe('the validation of strategy parameters', () => {
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
  ])('checks values of the type %s', (type, good, bad) => {
    const parameters = [parameter('own', type)];
    for (const own of good) expect(pathsOf(parameters, { own }), String(own)).toEqual([]);
    for (const own of bad) {
      expect(pathsOf(parameters, { own }), String(own)).toEqual(['/body/parameters/own']);
    }
  });

  test('rejects a required parameter that is missing or blank', () => {
    const parameters = [parameter('a', 'list', true), parameter('b', 'number', true)];
    expect(pathsOf(parameters, {})).toEqual(['/body/parameters/a', '/body/parameters/b']);
    expect(pathsOf(parameters, { a: ' ', b: '' })).toHaveLength(2);
    expect(pathsOf(parameters, { a: 'x', b: 0 })).toEqual([]);
  });

  test('accepts optional parameters that are missing or empty', () => {
    const parameters = [parameter('a', 'number'), parameter('b', 'boolean')];
    expect(pathsOf(parameters, { b: '' })).toEqual([]);
  });

  test('accepts parameters that the strategy type does not define', () => {
    expect(pathsOf([parameter('a')], { other: 'x' })).toEqual([]);
  });

  test('leaves an invalid rollout to the common rule for rollouts, so that it is reported once', () => {
    const parameters = [parameter('rollout', 'percentage', true)];
    expect(pathsOf(parameters, { rollout: '101' })).toEqual([]);
    expect(pathsOf(parameters, {})).toEqual(['/body/parameters/rollout']);
  });

  test('does not mistake inherited properties of objects for given parameters', () => {
    expect(pathsOf([parameter('constructor', 'string', true)], {})).toEqual([
      '/body/parameters/constructor',
    ]);
  });

  test('escapes special characters of JSON pointers in paths', () => {
    expect(pathsOf([parameter('a/b~c', 'number')], { 'a/b~c': 'x' })).toEqual([
      '/body/parameters/a~1b~0c',
    ]);
  });
});
