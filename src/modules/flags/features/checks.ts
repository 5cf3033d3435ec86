import type { Fault } from '../../../platform/errors.ts';
import type { Checks } from '../../../platform/http/checked.ts';
import { patchFaults } from '../../../platform/http/json-patch.ts';
import { type featureContract, PatchedFeatureSchema } from './contract.ts';

const patchable = Object.keys(PatchedFeatureSchema.properties);

interface PatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
}

/** Variants have their own endpoints. */
const unpatchable = (patch: readonly PatchOperation[]): Fault[] =>
  patch.flatMap(({ op, path, from }, index) =>
    Object.entries({ path, from }).flatMap(([key, pointer]) => {
      if (pointer === undefined || patchable.includes(pointer.split('/')[1] ?? '')) return [];
      const at = `/body/${index}/${key}`;
      const fields = patchable.map((field) => `/${field}`).join(', ');
      return [
        {
          path: at,
          message: `${at} (${op} '${pointer.slice(0, 100)}') is none of what can be patched here: ${fields}`,
        },
      ];
    }),
  );

export const checks = {
  patchFeature: ({ body }) => [...patchFaults(body), ...unpatchable(body as PatchOperation[])],
} satisfies Checks<typeof featureContract>;
