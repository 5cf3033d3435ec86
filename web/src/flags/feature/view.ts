import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { createContext, useContext, useMemo } from 'react';
import type { Response } from '../../api.ts';
import { read } from '../../queries.ts';
import type { ContextField } from '../strategy/constraint-check.ts';
import type { StrategyType } from '../strategy/strategy-check.ts';
import type { SegmentNames } from '../strategy/strategy-sentence.ts';
import type { Draft } from './draft.ts';

export const route = getRouteApi('/shell/projects/$projectId/features/$featureName');

export type Feature = Response<'GET /api/admin/projects/:projectId/features/:featureName'>;
export type Segment = Response<'GET /api/admin/segments'>['segments'][number];

/** What strategies refer to. */
export interface Catalogue {
  readonly segments: ReadonlyMap<number, Segment>;
  readonly names: SegmentNames;
  readonly fields: ReadonlyMap<string, ContextField>;
  readonly types: ReadonlyMap<string, StrategyType>;
}

export function useCatalogue(): Catalogue {
  const segments = useQuery(read('GET /api/admin/segments', {})).data;
  const fields = useQuery(read('GET /api/admin/context', {})).data;
  const types = useQuery(read('GET /api/admin/strategies', {})).data;
  return useMemo(
    () => ({
      segments: new Map(segments?.segments.map((segment) => [segment.id, segment])),
      names: new Map(segments?.segments.map(({ id, name }) => [id, name])),
      fields: new Map(fields?.map((field) => [field.name, field])),
      types: new Map(types?.strategies.map((type) => [type.name, type])),
    }),
    [segments, fields, types],
  );
}

/** One feature as its page has it: as saved, the draft over it, and what both refer to. */
export interface FeatureView {
  readonly project: string;
  readonly feature: Feature;
  readonly catalogue: Catalogue;
  readonly draft: Draft;
  readonly change: (edit: (draft: Draft) => Draft) => void;
}

export const FeatureViewContext = createContext<FeatureView | undefined>(undefined);

export function useFeatureView(): FeatureView {
  const view = useContext(FeatureViewContext);
  if (!view) throw new Error('useFeatureView is used outside a feature');
  return view;
}
