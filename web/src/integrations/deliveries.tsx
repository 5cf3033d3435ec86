import '@mantine/core/styles/Pagination.layer.css';
import {
  Badge,
  Button,
  Checkbox,
  Group,
  NumberInput,
  Pagination,
  Select,
  Skeleton,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api.ts';
import { labelOf } from '../events/sentence.ts';
import { useProjectName } from '../project-name.tsx';
import { invalidate, read } from '../queries.ts';
import { EmptyState, NoMatch } from '../ui/empty-state.tsx';
import { plural } from '../ui/format.ts';
import { PageLink } from '../ui/link.tsx';
import { tellDone, tellProblem } from '../ui/notices.tsx';
import { Problem } from '../ui/problem.tsx';
import { Since } from '../ui/time.tsx';
import { Countdown } from './countdown.tsx';
import { DeliveryDrawer } from './delivery.tsx';
import classes from './integrations.module.css';
import { pollMs } from './reads.ts';
import { RedeliverFailed, Redeliveries } from './redeliver.tsx';
import type { DeliveryState, IntegrationSearch } from './search.ts';
import { type Delivery, type Integration, stateWords, statusOf } from './words.ts';

const route = getRouteApi('/shell/integrations/$id');

const pageSize = 25;

/** Any other filter begins at the first page. */
function useFilters() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return {
    search,
    set: (part: { [Name in keyof IntegrationSearch]?: IntegrationSearch[Name] | undefined }) =>
      void navigate({
        search: (before) => {
          const { page: _, ...rest } = { ...before, ...part };
          const next = 'page' in part ? { ...rest, page: part.page } : rest;
          return Object.fromEntries(
            Object.entries(next).filter(([, value]) => value !== undefined),
          ) as IntegrationSearch;
        },
        // Back closes what was opened. It does not go through every filter.
        replace: part.delivery === undefined,
        resetScroll: false,
      }),
  };
}

const noFilters = {
  event: undefined,
  state: undefined,
  type: undefined,
  from: undefined,
  to: undefined,
} as const;

function Filters({ integration }: { readonly integration: Integration }) {
  const { search, set } = useFilters();
  return (
    <search className={classes.filters} aria-label="Filter deliveries">
      <Select
        size="xs"
        w={130}
        label="Status"
        placeholder="All"
        clearable
        data={Object.entries(stateWords).map(([value, { label }]) => ({ value, label }))}
        value={search.state ?? null}
        onChange={(value) => set({ state: (value ?? undefined) as DeliveryState | undefined })}
      />
      <Select
        size="xs"
        w={200}
        label="Event type"
        placeholder="All"
        clearable
        searchable
        data={[...new Set([...integration.events, ...(search.type ? [search.type] : [])])].map(
          (type) => ({ value: type, label: labelOf(type) }),
        )}
        value={search.type ?? null}
        onChange={(value) => set({ type: value ?? undefined })}
      />
      <TextInput
        size="xs"
        type="date"
        label="From"
        value={search.from ?? ''}
        onChange={({ currentTarget }) => set({ from: currentTarget.value || undefined })}
      />
      <TextInput
        size="xs"
        type="date"
        label="To"
        value={search.to ?? ''}
        onChange={({ currentTarget }) => set({ to: currentTarget.value || undefined })}
      />
      <NumberInput
        size="xs"
        w={110}
        label="Event ID"
        placeholder="1042"
        hideControls
        allowDecimal={false}
        allowNegative={false}
        value={search.event ?? ''}
        onChange={(value) => set({ event: Number(value) || undefined })}
      />
    </search>
  );
}

interface RowProps {
  readonly delivery: Delivery;
  readonly isSelected: boolean;
  readonly onSelect: (isSelected: boolean) => void;
  readonly onOpen: () => void;
  readonly nameOf: (project: string) => string;
}

function Row({ delivery, isSelected, onSelect, onOpen, nameOf }: RowProps) {
  const { label, color } = statusOf(delivery);
  return (
    <Table.Tr className={classes.delivery}>
      <Table.Td>
        <Checkbox
          aria-label={`Select delivery of event ${delivery.eventId}`}
          checked={isSelected}
          onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
        />
      </Table.Td>
      <Table.Td>
        <Badge variant="light" tt="none" color={color}>
          {label}
        </Badge>
      </Table.Td>
      <Table.Td>
        <Button variant="subtle" size="compact-sm" onClick={onOpen} px={4} ml={-4}>
          {labelOf(delivery.eventType)}
        </Button>
        <Text size="xs" className="quiet">
          {[
            delivery.featureName,
            delivery.project && nameOf(delivery.project),
            delivery.environment,
          ]
            .filter((each) => each !== undefined)
            .join(' · ')}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm" className={classes.anywhere}>
          {delivery.why}
        </Text>
        {delivery.nextAttemptAt !== undefined && (
          <Text size="xs" className="quiet">
            Next attempt <Countdown until={delivery.nextAttemptAt} />
          </Text>
        )}
      </Table.Td>
      <Table.Td className="tabular" data-label="Attempts">
        {delivery.attempts} of {delivery.maxAttempts}
      </Table.Td>
      <Table.Td data-label="Created">
        <Since instant={delivery.createdAt} />
      </Table.Td>
    </Table.Tr>
  );
}

/** Says why an event has no delivery. */
function WhyNot({ eventId, id }: { readonly eventId: number; readonly id: number }) {
  const found = useQuery(
    read('GET /api/admin/search/events/:id/deliveries', { params: { id: String(eventId) } }),
  );
  const { set } = useFilters();
  if (found.isPending) return <Skeleton h={90} aria-busy />;
  const here = found.data?.integrations.find(({ integrationId }) => integrationId === id);
  return (
    <EmptyState
      title={
        found.isError
          ? `Event ${eventId} doesn't exist or you don't have access to it`
          : here?.outcome === 'notSent' || here === undefined
            ? `Event ${eventId} wasn't sent`
            : `Event ${eventId} is hidden by your filters`
      }
    >
      {here && (
        <Text size="sm" role="status">
          {here.why}.
        </Text>
      )}
      <Group gap="sm" justify="center" mt="xs">
        {!found.isError && (
          <PageLink to="/history" search={{ event: eventId }} size="sm">
            View event
          </PageLink>
        )}
        <Button variant="default" size="xs" onClick={() => set(noFilters)}>
          Clear filters
        </Button>
      </Group>
    </EmptyState>
  );
}

function NoDeliveries({ integration }: { readonly integration: Integration }) {
  const { search, set } = useFilters();
  if (search.event !== undefined) return <WhyNot eventId={search.event} id={integration.id} />;
  const isFiltered = [search.state, search.type, search.from, search.to].some(
    (each) => each !== undefined,
  );
  return isFiltered ? (
    <NoMatch what="deliveries" onClear={() => set(noFilters)} />
  ) : (
    <EmptyState title="No deliveries yet">
      Deliveries appear here when a selected event occurs. Send a test event to check your setup.
    </EmptyState>
  );
}

/** Every delivery of an integration, with its result. Selected ones can be redelivered. */
export function Deliveries({ integration }: { readonly integration: Integration }) {
  const { search, set } = useFilters();
  const { state, type, from, to, event, page = 1, delivery: openId } = search;
  const [selected, setSelected] = useState<readonly string[]>([]);
  const nameOf = useProjectName();
  const params = { id: String(integration.id) };
  const found = useQuery({
    ...read('GET /api/admin/addons/:id/deliveries', {
      params,
      query: {
        ...(state && { state }),
        ...(type && { type }),
        ...(from && { from }),
        ...(to && { to }),
        ...(event !== undefined && { event: String(event) }),
        // One more says whether another page follows.
        limit: String(pageSize + 1),
        offset: String((page - 1) * pageSize),
      },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
  });
  const redeliver = useMutation({
    mutationFn: (ids: readonly string[]) =>
      api('POST /api/admin/addons/:id/redeliver', {
        params,
        body: { state: 'all', retrying: true, ids: [...ids] },
      }),
    onSuccess: async ({ redelivered }, ids) => {
      setSelected([]);
      const left = ids.length - redelivered;
      tellDone({
        id: 'redelivered',
        title: `${plural(redelivered, 'delivery', 'deliveries')} queued for redelivery${left > 0 ? ` · ${left} skipped (not attempted yet or nothing to send)` : ''}`,
      });
      await invalidate(
        'GET /api/admin/addons/:id/deliveries',
        'GET /api/admin/addons/:id/redeliveries',
        'GET /api/admin/addons/:id/statistics',
        'GET /api/admin/addons/:id',
      );
    },
    onError: (error) => tellProblem('redeliver', error),
  });
  const all = found.data?.deliveries ?? [];
  const shown = all.slice(0, pageSize);
  const hasMore = all.length > pageSize;
  const shownIds = shown.map(({ id }) => id);
  const isAll = shownIds.length > 0 && shownIds.every((id) => selected.includes(id));
  const index = shown.findIndex(({ id }) => id === openId);
  return (
    <section aria-label="Deliveries">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          Deliveries
        </Title>
        <RedeliverFailed integration={integration} />
      </Group>
      <Stack gap="sm">
        <Redeliveries id={integration.id} />
        <Filters integration={integration} />
        {selected.length > 0 && (
          <Group gap="sm" role="region" aria-label="Selected deliveries">
            <Text size="sm">{plural(selected.length, 'delivery', 'deliveries')} selected</Text>
            <Button
              size="xs"
              loading={redeliver.isPending}
              onClick={() => redeliver.mutate(selected)}
            >
              Redeliver
            </Button>
            <Button size="xs" variant="default" onClick={() => setSelected([])}>
              Clear selection
            </Button>
          </Group>
        )}
        {found.isError && <Problem error={found.error} />}
        {found.isPending && <Skeleton h={240} aria-busy />}
        {found.data && shown.length === 0 && <NoDeliveries integration={integration} />}
        {shown.length > 0 && (
          <div className={`card ${classes.scroll}`}>
            <Table verticalSpacing={8} className={classes.table}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th w={40}>
                    <Checkbox
                      aria-label="Select all on this page"
                      checked={isAll}
                      indeterminate={!isAll && shownIds.some((id) => selected.includes(id))}
                      onChange={() => setSelected(isAll ? [] : shownIds)}
                    />
                  </Table.Th>
                  <Table.Th w={110}>Status</Table.Th>
                  <Table.Th>Event</Table.Th>
                  <Table.Th>Result</Table.Th>
                  <Table.Th w={90}>Attempts</Table.Th>
                  <Table.Th w={130}>Created</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {shown.map((delivery) => (
                  <Row
                    key={delivery.id}
                    delivery={delivery}
                    nameOf={nameOf}
                    isSelected={selected.includes(delivery.id)}
                    onSelect={(isSelected) =>
                      setSelected(
                        isSelected
                          ? [...selected, delivery.id]
                          : selected.filter((id) => id !== delivery.id),
                      )
                    }
                    onOpen={() => set({ delivery: delivery.id, page: search.page })}
                  />
                ))}
              </Table.Tbody>
            </Table>
          </div>
        )}
        {(page > 1 || hasMore) && (
          <Group justify="space-between">
            <VisuallyHidden role="status">Page {page}</VisuallyHidden>
            <Pagination
              size="sm"
              withPages
              total={hasMore ? page + 1 : page}
              value={page}
              onChange={(value) => set({ page: value > 1 ? value : undefined })}
              getControlProps={(control) => ({
                'aria-label': control === 'next' ? 'Next page' : 'Previous page',
              })}
            />
          </Group>
        )}
      </Stack>
      {openId !== undefined && (
        <DeliveryDrawer
          integration={integration}
          recordId={openId}
          known={index >= 0 ? shown[index] : undefined}
          onClose={() => set({ delivery: undefined, page: search.page })}
        />
      )}
    </section>
  );
}
