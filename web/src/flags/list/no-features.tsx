import { Stack, Text } from '@mantine/core';
import { Suspense } from 'react';
import { EmptyState, NoMatch } from '../../ui/empty-state.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { NewFeatureButton } from '../create/new-feature.tsx';
import { cleared } from './chosen-filters.ts';
import { type FeatureSearch, isFiltered } from './search.ts';

const FirstFeatureCode = lazyPart(() => import('./first-feature-code.tsx'), 'FirstFeatureCode');

interface Props {
  readonly search: FeatureSearch;
  readonly onChange: (search: FeatureSearch) => void;
  readonly project: string | undefined;
}

/** An empty list says what to do next: it depends on why it is empty. */
export function NoFeatures({ search, onChange, project }: Props) {
  if (isFiltered(search)) {
    const name = /^[\w.~-]+$/.test(search.query ?? '') ? search.query : undefined;
    return (
      <NoMatch what="features" onClear={() => onChange(cleared(search))}>
        {name !== undefined && (
          <NewFeatureButton project={project} name={name} label={`Create ${name}`} />
        )}
      </NoMatch>
    );
  }
  if (search.archived) {
    return (
      <EmptyState title="No archived features">
        Archived features stay here until you revive or delete them.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No features yet">
      <Stack align="center" maw={640} miw={0}>
        <Text size="sm">
          A feature controls whether part of your application is enabled, and for whom. Create one,
          then check it in your code.
        </Text>
        <NewFeatureButton project={project} />
        <Suspense>
          <FirstFeatureCode project={project ?? 'default'} />
        </Suspense>
      </Stack>
    </EmptyState>
  );
}
