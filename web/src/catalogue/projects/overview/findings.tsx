import {
  ActionIcon,
  Button,
  Chip,
  Group,
  Menu,
  Modal,
  Select,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Response } from '../../../api.ts';
import { useRefusal } from '../../../me.ts';
import { invalidate } from '../../../queries.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { PageLink } from '../../../ui/link.tsx';
import { tellDone, tellProblem } from '../../../ui/notices.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Waiting } from '../../../ui/waiting.tsx';
import classes from '../projects.module.css';
import { type Reason, reasons } from './search.ts';

const route = getRouteApi('/shell/projects/$projectId/insights');

type Findings = Response<'GET /api/admin/projects/:projectId/status/findings'>;
type Finding = Findings['features'][number];

const words: Readonly<Record<Reason, string>> = {
  markedStale: 'Marked stale',
  lifetimeOver: 'Past their lifetime',
  notSeen: 'No SDK asks',
  fullyOn: 'On for everybody',
  completedButCalled: 'Completed, still asked for',
  archivedButCalled: 'Archived, still asked for',
  notInCode: 'Not in code',
};

const pageSize = 20;

const refresh = () =>
  invalidate(
    'GET /api/admin/projects/:projectId/status/findings',
    'GET /api/admin/projects/:projectId/status',
    'GET /api/admin/projects/:projectId/budget',
    'GET /api/admin/projects/:projectId/overview',
    'GET /api/admin/search/features',
  );

async function markStale(projectId: string, feature: string, stale: boolean): Promise<void> {
  const params = { projectId };
  await api('POST /api/admin/projects/:projectId/stale', {
    params,
    body: { features: [feature], stale },
  });
  await refresh();
}

async function archive(projectId: string, feature: string): Promise<void> {
  const request = { params: { projectId }, body: { features: [feature] } };
  await api('POST /api/admin/projects/:projectId/archive', request);
  await refresh();
  tellDone({
    id: `finding ${feature}`,
    title: `${feature} is archived`,
    undo: async () => {
      await api('POST /api/admin/projects/:projectId/revive', request);
      await refresh();
    },
  });
}

const terms = [
  { value: '30', label: 'for 30 days' },
  { value: '90', label: 'for 90 days' },
  { value: '365', label: 'for a year' },
  { value: 'permanent', label: 'for good: it is permanent' },
];

/** Says that a feature is not too old, until when and why. */
function KeepForm({
  projectId,
  feature,
  onClose,
}: {
  readonly projectId: string;
  readonly feature: string;
  readonly onClose: () => void;
}) {
  const [term, setTerm] = useState('90');
  const [reason, setReason] = useState('');
  const keep = async () => {
    const params = { projectId, featureName: feature };
    const until = new Date(Date.now() + Number(term) * 86_400_000);
    try {
      await api('PUT /api/admin/projects/:projectId/features/:featureName/review', {
        params,
        body:
          term === 'permanent'
            ? { reason, permanent: true }
            : { reason, snoozedUntil: until.toISOString() },
      });
      await refresh();
      onClose();
      tellDone({
        id: `finding ${feature}`,
        title: `${feature} is kept ${terms.find(({ value }) => value === term)?.label}`,
        undo: async () => {
          await api('DELETE /api/admin/projects/:projectId/features/:featureName/review', {
            params,
          });
          await refresh();
        },
      });
    } catch (error) {
      tellProblem('Nothing was changed', error as Error);
    }
  };
  return (
    <Modal opened onClose={onClose} title={`Keep ${feature}`} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void keep();
        }}
      >
        <Stack>
          <Select
            label="Keep it"
            data={terms}
            value={term}
            allowDeselect={false}
            onChange={(value) => setTerm(value ?? '90')}
          />
          <Textarea
            label="Why"
            required
            maxLength={1000}
            autosize
            minRows={2}
            data-autofocus
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={reason.trim() === ''}>
              Keep
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function FindingRow({
  finding,
  projectId,
}: {
  readonly finding: Finding;
  readonly projectId: string;
}) {
  const { feature, stale, archivedAt } = finding;
  const mayNotChange = useRefusal('UPDATE_FEATURE', { project: projectId });
  const mayNotArchive = useRefusal('DELETE_FEATURE', { project: projectId });
  const [isKeeping, setKeeping] = useState(false);
  const tell = (error: Error) => tellProblem('Nothing was changed', error);
  return (
    <li className={classes.finding}>
      <div className={classes.findingText}>
        <PageLink
          to="/projects/$projectId/features/$featureName"
          params={{ projectId, featureName: feature }}
          fw={600}
          size="sm"
        >
          {feature}
        </PageLink>
        {finding.reasons.map(({ reason, detail }) => (
          <Text key={reason} size="sm" className="quiet">
            {detail}
          </Text>
        ))}
      </div>
      {archivedAt === undefined && (
        <Menu position="bottom-end" transitionProps={{ duration: 100 }}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={`What to do with ${feature}`}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              disabled={mayNotChange !== undefined}
              onClick={() => {
                const set = (value: boolean) => markStale(projectId, feature, value);
                set(!stale)
                  .then(() =>
                    tellDone({
                      id: `finding ${feature}`,
                      title: `${feature} is ${stale ? 'no longer stale' : 'stale'}`,
                      undo: () => set(stale),
                    }),
                  )
                  .catch(tell);
              }}
            >
              {stale ? 'Not stale' : 'Mark as stale'}
            </Menu.Item>
            <Menu.Item disabled={mayNotChange !== undefined} onClick={() => setKeeping(true)}>
              Keep…
            </Menu.Item>
            <Menu.Item
              disabled={mayNotArchive !== undefined}
              onClick={() => void archive(projectId, feature).catch(tell)}
            >
              Archive
            </Menu.Item>
            {(mayNotChange ?? mayNotArchive) !== undefined && (
              <Menu.Label maw={240}>{mayNotChange ?? mayNotArchive}</Menu.Label>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {isKeeping && (
        <KeepForm projectId={projectId} feature={feature} onClose={() => setKeeping(false)} />
      )}
    </li>
  );
}

/** Which features should go, why, and what to do about it. */
export function ProjectFindings({ projectId }: { readonly projectId: string }) {
  const { reason } = route.useSearch();
  const navigate = route.useNavigate();
  const found = useInfiniteQuery({
    queryKey: ['GET /api/admin/projects/:projectId/status/findings', projectId, reason],
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/admin/projects/:projectId/status/findings', {
        params: { projectId },
        query: {
          limit: String(pageSize),
          offset: String(pageParam),
          ...(reason && { reason }),
        },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ total }: Findings, pages: readonly Findings[]) => {
      const shown = pages.reduce((sum, { features }) => sum + features.length, 0);
      return shown < total ? shown : undefined;
    },
    placeholderData: keepPreviousData,
  });
  if (found.isPending) return <Waiting />;
  if (found.isError) return <Problem error={found.error} />;
  const counts = found.data.pages[0]?.countByReason;
  const features = found.data.pages.flatMap((page) => page.features);
  const present = reasons.filter((each) => (counts?.[each] ?? 0) > 0 || each === reason);
  if (present.length === 0) {
    return (
      <EmptyState title="Nothing has to go">
        Features are listed here when they are stale, when they are older than their type expects,
        when no SDK asks for them, or when they have been on for everybody for long.
      </EmptyState>
    );
  }
  return (
    <div className="card">
      <Chip.Group
        value={reason ?? ''}
        onChange={(value) =>
          void navigate({
            search: ({ reason: _, ...before }) => ({
              ...before,
              ...(value !== '' && { reason: value as Reason }),
            }),
            replace: true,
          })
        }
      >
        <Group gap={6} p="sm" role="group" aria-label="Reason">
          <Chip size="xs" value="" variant="outline">
            Any reason
          </Chip>
          {present.map((each) => (
            <Chip key={each} size="xs" value={each} variant="outline">
              {words[each]} {counts?.[each]}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <ul className={classes.findings}>
        {features.map((finding) => (
          <FindingRow key={finding.feature} finding={finding} projectId={projectId} />
        ))}
      </ul>
      {found.hasNextPage && (
        <Group justify="center" p="sm">
          <Button
            variant="default"
            size="xs"
            loading={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            More
          </Button>
        </Group>
      )}
    </div>
  );
}
