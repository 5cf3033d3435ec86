import { Title } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { EventLogView } from './log.tsx';
import type { LogSearch } from './search.ts';

interface Props {
  readonly project: string;
  readonly feature: string;
  /** Where the address of the page keeps it; without it the part keeps it itself. */
  readonly search?: LogSearch;
  readonly onSearch?: (search: LogSearch, options: { readonly replace: boolean }) => void;
}

/** What happened to one feature: the same log, narrowed down. */
export function FeatureHistory({ project, feature, search, onSearch }: Props) {
  const [own, setOwn] = useState<LogSearch>({});
  const scope = useMemo(() => ({ project, feature }), [project, feature]);
  const change = useCallback((next: LogSearch) => setOwn(next), []);
  return (
    <EventLogView
      scope={scope}
      search={search ?? own}
      onSearch={onSearch ?? change}
      withFacets={false}
      title={
        <Title order={2} size="h4">
          History
        </Title>
      }
    />
  );
}
