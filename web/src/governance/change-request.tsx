import {
  ActionIcon,
  Alert,
  Breadcrumbs,
  Button,
  Group,
  Stack,
  Text,
  Textarea,
  Title,
} from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api.ts';
import { useMay, useMe } from '../me.ts';
import { ProjectName } from '../project-name.tsx';
import { read } from '../queries.ts';
import { Actor } from '../ui/actor.tsx';
import { agree, plural } from '../ui/format.ts';
import { JsonDiff } from '../ui/json-diff.tsx';
import { PageLink } from '../ui/link.tsx';
import { tellProblem } from '../ui/notices.tsx';
import { Section } from '../ui/section.tsx';
import { Since } from '../ui/time.tsx';
import { type ChangeRequest, changeSentence, countChanges } from './change-words.ts';
import { Conflicts } from './conflicts.tsx';
import { Effect } from './effect.tsx';
import { EmergencyMark } from './emergency.tsx';
import classes from './governance.module.css';
import { NextStep, Outcome } from './next-step.tsx';
import { refreshRequests } from './refresh.ts';
import { Reviewers } from './reviewers.tsx';
import { useSegmentNames } from './segment-names.ts';
import { StateBadge } from './state-badge.tsx';

const route = getRouteApi('/shell/projects/$projectId/change-requests/$id');

type Change = ChangeRequest['features'][number]['changes'][number];

interface ChangeProps {
  readonly request: ChangeRequest;
  readonly change: Change;
  readonly canEdit: boolean;
}

type DefaultStrategy = NonNullable<Change['defaultStrategies']>[number];

/** The strategy that a feature without one gets when it is enabled. */
function AddedDefault({ environment, payload }: DefaultStrategy) {
  const names = useSegmentNames();
  return (
    <li className={classes.row}>
      <div className={classes.rowText}>
        <Text>{changeSentence({ action: 'addStrategy', payload }, environment, names)}</Text>
        <Text size="sm" className="quiet">
          The default strategy, because the feature has no enabled strategy
        </Text>
      </div>
    </li>
  );
}

function ProposedChange({ request, change, canEdit }: ChangeProps) {
  const names = useSegmentNames();
  const [isShown, setShown] = useState(false);
  const sentence = changeSentence(change, request.environment, names);
  // A request without changes is canceled; a draft may be empty.
  const isLast = request.state !== 'Draft' && countChanges(request) === 1;
  const removing = useMutation({
    mutationFn: () =>
      api('DELETE /api/admin/projects/:projectId/change-requests/:id/changes/:changeId', {
        params: {
          projectId: request.project,
          id: String(request.id),
          changeId: String(change.id),
        },
      }),
    onError: (error) => tellProblem('remove the change', error),
    onSettled: refreshRequests,
  });
  return (
    <>
      <li className={classes.row}>
        <div className={classes.rowText}>
          <Text>{sentence}</Text>
          {change.scheduleConflicts && change.scheduleConflicts.changeRequests.length > 0 && (
            <Text size="sm" className={classes.warning ?? ''}>
              {plural(change.scheduleConflicts.changeRequests.length, 'scheduled request')} also{' '}
              {agree(change.scheduleConflicts.changeRequests.length, 'changes', 'change')} this
            </Text>
          )}
          {isShown && <JsonDiff before={undefined} after={change.payload ?? {}} />}
        </div>
        <Group gap={4} wrap="nowrap">
          {change.payload !== undefined && (
            <Button
              size="compact-sm"
              variant="subtle"
              aria-expanded={isShown}
              onClick={() => setShown(!isShown)}
            >
              {isShown ? 'Hide details' : 'Show details'}
            </Button>
          )}
          {canEdit && !isLast && (
            <ActionIcon
              variant="subtle"
              color="gray"
              loading={removing.isPending}
              aria-label={`Remove: ${sentence}`}
              onClick={() => removing.mutate()}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      </li>
      {change.defaultStrategies?.map((added) => (
        <AddedDefault key={added.environment} {...added} />
      ))}
    </>
  );
}

function Changes({ request, canEdit }: Omit<ChangeProps, 'change'>) {
  return (
    <Stack>
      {request.features.map(({ name, changes }) => (
        <section key={name} className={`card ${classes.item}`} aria-label={name}>
          <Title order={3} size="h5">
            <PageLink
              to="/projects/$projectId/features/$featureName"
              params={{ projectId: request.project, featureName: name }}
            >
              {name}
            </PageLink>
          </Title>
          <ul className={classes.list}>
            {changes.map((change) => (
              <ProposedChange key={change.id} {...{ request, change, canEdit }} />
            ))}
          </ul>
        </section>
      ))}
      {request.segments.map(({ name, ...change }) => (
        <section key={change.id} className={`card ${classes.item}`} aria-label={`Segment ${name}`}>
          <Title order={3} size="h5">
            Segment {name}
          </Title>
          <ul className={classes.list}>
            <ProposedChange {...{ request, change, canEdit }} />
          </ul>
        </section>
      ))}
      {request.changes.length > 0 && (
        <section className={`card ${classes.item}`} aria-label="Project">
          <Title order={3} size="h5">
            <ProjectName id={request.project} />
          </Title>
          <ul className={classes.list}>
            {request.changes.map((change) => (
              <ProposedChange key={change.id} {...{ request, change, canEdit }} />
            ))}
          </ul>
        </section>
      )}
    </Stack>
  );
}

function Comments({ request }: { readonly request: ChangeRequest }) {
  const [text, setText] = useState('');
  const params = { projectId: request.project, id: String(request.id) };
  const sending = useMutation({
    mutationFn: () =>
      api('POST /api/admin/projects/:projectId/change-requests/:id/comments', {
        params,
        body: { text: text.trim() },
      }),
    onSuccess: async () => {
      setText('');
      await refreshRequests();
    },
    onError: (error) => tellProblem('add the comment', error),
  });
  return (
    <Section title="Comments">
      <Stack gap="sm">
        {request.comments.map(({ id, text: said, createdBy, createdAt }) => (
          <Group key={id} align="flex-start" wrap="nowrap" gap="sm">
            <div>
              <Text size="sm">
                <b>
                  <Actor name={createdBy.username} id={createdBy.id} />
                </b>{' '}
                <span className="quiet">
                  <Since instant={createdAt} />
                </span>
              </Text>
              <Text size="sm" className={classes.comment ?? ''} dir="auto">
                {said}
              </Text>
            </div>
          </Group>
        ))}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== '') sending.mutate();
          }}
        >
          <Textarea
            aria-label="Comment"
            placeholder="Add a comment"
            autosize
            minRows={2}
            maxLength={10_000}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Button
            type="submit"
            variant="default"
            size="xs"
            mt="xs"
            loading={sending.isPending}
            disabled={text.trim() === ''}
          >
            Comment
          </Button>
        </form>
      </Stack>
    </Section>
  );
}

/** A change request: what it changes, who has approved it, and the next step. */
export function ChangeRequestPage() {
  const params = route.useParams();
  const request = useSuspenseQuery(
    read('GET /api/admin/projects/:projectId/change-requests/:id', { params }),
  ).data;
  const { user } = useMe();
  const may = useMay();
  const isOwn = request.createdBy.id === user.id;
  const { state, schedule } = request;
  const isStopped = state === 'Scheduled' && schedule?.status !== 'pending';
  const isEditable =
    (['Draft', 'In review', 'Approved'].includes(state) || isStopped) && (isOwn || may('ADMIN'));
  const isClosed = ['Applied', 'Rejected', 'Cancelled'].includes(state);
  return (
    <Stack>
      <div>
        <Breadcrumbs mb={4}>
          <PageLink to="/change-requests" size="sm">
            Change requests
          </PageLink>
        </Breadcrumbs>
        <Group gap="sm">
          <Title order={1} size="h2">
            {request.title}
          </Title>
          <StateBadge state={state} schedule={schedule} />
        </Group>
        <Text size="sm" className="quiet">
          #{request.id} · <ProjectName id={request.project} /> · {request.environment} ·{' '}
          {plural(countChanges(request), 'change')} · by{' '}
          <Actor name={request.createdBy.username} id={request.createdBy.id} />,{' '}
          <Since instant={request.createdAt} />
        </Text>
      </div>
      {schedule && isStopped && (
        <Alert color="orange" title={`Schedule ${schedule.status}`}>
          {schedule.reason}
        </Alert>
      )}
      <EmergencyMark request={request} />
      <div className={classes.layout}>
        <Stack gap="lg">
          <Conflicts request={request} canEdit={isEditable} />
          <Section title="Changes">
            <Changes request={request} canEdit={isEditable} />
          </Section>
          <Effect request={request} />
          <Comments request={request} />
        </Stack>
        <Stack>
          {isClosed ? <Outcome request={request} /> : <NextStep request={request} isOwn={isOwn} />}
          <Reviewers request={request} canEdit={isEditable} />
        </Stack>
      </div>
    </Stack>
  );
}
