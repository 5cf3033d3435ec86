import { Box } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useCallback, useMemo, useState } from 'react';
import { queryOf, searchOf } from '../../catalogue/saved-views/view-query.ts';
import { AfterFirstView } from '../../ui/after-paint.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { NewFeatureButton, useNewFeature } from '../create/new-feature.tsx';
import { ColumnMenu, useColumns } from './feature-columns.tsx';
import { FeatureFilters } from './feature-filters.tsx';
import { FeatureList } from './feature-list.tsx';
import { NoFeatures } from './no-features.tsx';
import {
  type FeatureAddress,
  type FeatureSearch,
  readFeatureAddress,
  readFeatureSearch,
  toQuery,
  writeFeatureSearch,
} from './search.ts';
import { useSelection } from './selection.ts';

const ViewsMenu = lazyPart(() => import('../../catalogue/saved-views/views-menu.tsx'), 'ViewsMenu');
const BulkBar = lazyPart(() => import('../bulk/bulk-bar.tsx'), 'BulkBar');

interface Props {
  /** What the address says. */
  readonly address: FeatureAddress;
  readonly onChange: (address: FeatureAddress) => void;
  /** Shows the features of one project, without the column and the filter of projects. */
  readonly project?: string;
}

/** Features with filters, columns, a selection and what can be done with it. The address is its state. */
export function FeatureBrowser({ address, onChange, project }: Props) {
  const navigate = useNavigate();
  const addressKey = JSON.stringify(address);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the address
  const search = useMemo(() => readFeatureSearch(address), [addressKey]);
  const query = useMemo(() => toQuery(search, project), [search, project]);
  const change = useCallback(
    (next: FeatureSearch) => onChange(writeFeatureSearch(next)),
    [onChange],
  );
  const { view: _view, ...shown } = writeFeatureSearch(search);
  // A project's list is already of one project.
  const viewQuery = queryOf(project === undefined ? shown : { ...shown, project: undefined });
  const columns = useColumns(search, change, project);
  const { projectId: newIn, refusal } = useNewFeature(project ?? search.project?.[0]);
  const { sortBy: _, sortOrder: __, ...filters } = query;
  const selection = useSelection(JSON.stringify(filters));
  // Kept after the selection is gone, for what its dialogs tell about it.
  const [hasBulkBar, setBulkBar] = useState(false);
  if (!hasBulkBar && selection.selected.size > 0) setBulkBar(true);
  useHotkeys([
    [
      'n',
      () =>
        refusal === undefined &&
        void navigate({
          to: '/projects/$projectId/create-toggle',
          params: { projectId: newIn },
        }),
    ],
  ]);
  return (
    <>
      <FeatureFilters search={search} onChange={change} project={project}>
        <AfterFirstView before={<Box w={104} h={36} />}>
          <Suspense fallback={<Box w={104} h={36} />}>
            <ViewsMenu
              page="features"
              project={project}
              query={viewQuery}
              viewId={search.view}
              onOpen={(opened, id) =>
                onChange({
                  ...readFeatureAddress(searchOf(opened)),
                  ...(id !== undefined && { view: String(id) }),
                })
              }
            />
          </Suspense>
        </AfterFirstView>
        <ColumnMenu {...columns} />
        {project !== undefined && <NewFeatureButton project={project} />}
      </FeatureFilters>
      <FeatureList
        search={search}
        onChange={change}
        query={query}
        columns={columns.shown}
        selection={selection}
        withProject={project === undefined}
        empty={<NoFeatures search={search} onChange={change} project={project} />}
      />
      {hasBulkBar && (
        <Suspense>
          <BulkBar selection={selection} isArchive={search.archived === true} />
        </Suspense>
      )}
    </>
  );
}
