import type { Fault } from '../../../../platform/errors.ts';
import type { Checks } from '../../../../platform/http/checked.ts';
import { patchFaults } from '../../../../platform/http/json-patch.ts';
import { expiresAtFaults } from '../owner/service.ts';
import { type changeContract, PatchedFeatureSchema } from './contract.ts';

const patchable = Object.keys(PatchedFeatureSchema.properties);

interface PatchOperation {
  readonly path: string;
  readonly from?: string;
}

/** Variants have their own endpoints. */
const unpatchable = (patch: readonly PatchOperation[]): Fault[] =>
  patch.flatMap(({ path, from }, index) =>
    Object.entries({ path, from }).flatMap(([key, pointer]) => {
      if (pointer === undefined || patchable.includes(pointer.split('/')[1] ?? '')) return [];
      const at = `/body/${index}/${key}`;
      const fields = patchable.map((field) => `/${field}`).join(', ');
      return [
        {
          path: at,
          message: `${at} '${pointer.slice(0, 100)}' can't be patched. Supported fields: ${fields}`,
        },
      ];
    }),
  );

export const checks = {
  updateFeature: ({ body }) => expiresAtFaults(body.expiresAt),
  patchFeature: ({ body }) => [...patchFaults(body), ...unpatchable(body as PatchOperation[])],
} satisfies Checks<typeof changeContract>;
