import { Title } from '@mantine/core';
import { useMemo } from 'react';
import { EventLogView } from './log.tsx';
import type { LogSearch } from './search.ts';

interface Props {
  readonly project: string;
  readonly feature: string;
  /** The search parameters of the log. */
  readonly search: LogSearch;
  readonly onSearch: (search: LogSearch, options: { readonly replace: boolean }) => void;
}

/** The event log of one feature. */
export function FeatureHistory({ project, feature, search, onSearch }: Props) {
  const scope = useMemo(() => ({ project, feature }), [project, feature]);
  return (
    <EventLogView
      scope={scope}
      search={search}
      onSearch={onSearch}
      withFacets={false}
      title={
        <Title order={2} size="h4">
          Event log
        </Title>
      }
    />
  );
}
