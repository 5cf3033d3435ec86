import { Group, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { read } from '../queries.ts';
import type { FeatureSearch } from './search.ts';

interface Props {
  readonly search: FeatureSearch;
  readonly onChange: (search: FeatureSearch) => void;
}

const states = [
  { value: 'active', label: 'Active' },
  { value: 'potentially-stale', label: 'Potentially stale' },
  { value: 'stale', label: 'Stale' },
];

const orders = [
  { value: 'createdAt desc', label: 'Newest first' },
  { value: 'createdAt asc', label: 'Oldest first' },
  { value: 'name asc', label: 'By name' },
  { value: 'lastSeenAt desc', label: 'Last seen' },
];

/** Typing asks for each letter after this; the server answers in a few milliseconds. */
const pauseMs = 120;

export function FeatureFilters({ search, onChange }: Props) {
  const types = useQuery(read('GET /api/admin/feature-types', {})).data?.types ?? [];
  const [text, setText] = useState(search.query ?? '');
  useEffect(() => setText(search.query ?? ''), [search.query]);
  useEffect(() => {
    if (text === (search.query ?? '')) return;
    const timer = setTimeout(
      () => onChange({ ...search, query: text || undefined } as FeatureSearch),
      pauseMs,
    );
    return () => clearTimeout(timer);
  }, [text, search, onChange]);
  const choose = (part: Partial<Record<keyof FeatureSearch, unknown>>) =>
    onChange({ ...search, ...part } as FeatureSearch);

  return (
    <Group gap="sm" mb="md" role="search" aria-label="Features">
      <TextInput
        data-search
        aria-label="Search features"
        placeholder="Search by name, description or tag"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        flex={1}
        miw={220}
      />
      <Select
        aria-label="Type"
        placeholder="Any type"
        clearable
        w={160}
        data={types.map(({ id, name }) => ({ value: id, label: name }))}
        value={search.type ?? null}
        onChange={(type) => choose({ type: type ?? undefined })}
      />
      <Select
        aria-label="State"
        placeholder="Any state"
        clearable
        w={170}
        data={states}
        value={search.state ?? null}
        onChange={(state) => choose({ state: state ?? undefined })}
      />
      <Select
        aria-label="Order"
        w={160}
        allowDeselect={false}
        data={orders}
        value={
          search.sortBy === undefined
            ? 'createdAt desc'
            : `${search.sortBy} ${search.sortOrder ?? 'asc'}`
        }
        onChange={(order) => {
          const [sortBy, sortOrder] = (order ?? '').split(' ');
          choose({ sortBy, sortOrder: sortOrder === 'desc' ? 'desc' : undefined });
        }}
      />
    </Group>
  );
}
