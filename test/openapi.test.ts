import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeApi } from '../src/app/describe-api.ts';
import { modules } from '../src/app/modules.ts';
import type { Endpoint } from '../src/platform/contract/endpoint.ts';
import { testApp } from './support/app.ts';

interface Parameter {
  readonly name: string;
  readonly schema: { readonly writeOnly?: boolean };
}

const committed = () => readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8');

describe('the OpenAPI document', () => {
  test('is committed in its current form (otherwise run: npx burgee openapi docs/openapi.json)', async () => {
    expect(JSON.parse(await describeApi())).toEqual(JSON.parse(committed()));
  });

  test('is served, together with a documentation page', async () => {
    const { ask } = await testApp();
    const served = await ask('GET /docs/openapi.json', { headers: { authorization: '' } });
    expect(served.json()).toEqual(JSON.parse(committed()));
    const page = await ask('GET /docs/openapi/', { headers: { authorization: '' } });
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
  });

  test('marks unsupported properties of Unleash with x-not-supported', () => {
    const { schemas } = JSON.parse(committed()).components;
    for (const [schema, property] of [
      ['projectEnvironmentSchema', 'defaultStrategy'],
      ['oidcSettingsSchema', 'enableSingleSignOut'],
    ] as const) {
      const marked = schemas[schema].properties[property];
      expect(marked, `${schema} ${property}`).toMatchObject({ 'x-not-supported': true });
    }
  });

  test('has every endpoint of every module, with its id, parameters and errors', () => {
    const { paths } = JSON.parse(committed());
    const endpoints = modules.flatMap(({ contract }) => Object.values(contract) as Endpoint[]);
    expect(endpoints.length).toBeGreaterThan(4);
    for (const { method, path, id, permission, deprecated } of endpoints) {
      const documented = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      expect(documented, `${method} ${path}`).toMatchObject({ operationId: id });
      if (permission !== 'public') expect(documented.responses).toHaveProperty('401');
      expect(documented.deprecated ?? false).toBe(deprecated ?? false);
      const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      const inPath = (documented.parameters ?? []).filter(
        (each: { in: string }) => each.in === 'path',
      );
      expect(inPath.map((each: { name: string }) => each.name).sort()).toEqual(names.sort());
    }
  });

  test('marks every secret parameter as write-only, so that the log masks it', () => {
    const { paths } = JSON.parse(committed()) as {
      paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
    };
    const secrets = Object.entries(paths).flatMap(([path, operations]) =>
      Object.values(operations).flatMap(({ parameters = [] }) =>
        parameters
          .filter(({ name }) => /^(token|secret|password)$|(Secret|Password)$/.test(name))
          .map(({ name, schema }) => ({ path, name, isWriteOnly: schema.writeOnly === true })),
      ),
    );
    expect(secrets.length).toBeGreaterThan(5);
    expect(secrets.filter(({ isWriteOnly }) => !isWriteOnly)).toEqual([]);
  });

  test('never requires a property with a default', () => {
    const requiredDefaults: string[] = [];
    const walk = (value: unknown, path: string) => {
      if (typeof value !== 'object' || value === null) return;
      const { properties, required } = value as Record<
        string,
        Record<string, { default?: unknown }>
      >;
      for (const name of Array.isArray(required) ? (required as string[]) : []) {
        if (properties?.[name]?.default !== undefined) requiredDefaults.push(`${path}/${name}`);
      }
      for (const [key, item] of Object.entries(value)) walk(item, `${path}/${key}`);
    };
    walk(JSON.parse(committed()), '');
    expect(requiredDefaults).toEqual([]);
  });
});
