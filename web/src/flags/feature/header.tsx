import { ActionIcon, Badge, Breadcrumbs, Group, Menu, Text, Title } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconDots,
  IconFlagCheck,
  IconFlagOff,
  IconFolderShare,
  IconHourglass,
  IconStar,
  IconStarFilled,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { api } from '../../api.ts';
import { useRefusal, useReviveRefusal } from '../../me.ts';
import { useProjectName } from '../../project-name.tsx';
import { Actor } from '../../ui/actor.tsx';
import { CopyIcon } from '../../ui/copy-button.tsx';
import { shortDay } from '../../ui/dates.ts';
import { moreText } from '../../ui/format.ts';
import { GuardedButton, GuardedItem } from '../../ui/guarded.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PageLink } from '../../ui/link.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { tellDone, tellProblem } from '../../ui/notices.tsx';
import { Since } from '../../ui/time.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useCloneRefusal } from '../clone/clone-refusal.ts';
import { stageNames, typeName } from '../feature-words.ts';
import classes from '../flags.module.css';
import { FollowButton } from '../follow.tsx';
import { OwnerName } from '../owner.tsx';
import { StateBadge } from '../state-badge.tsx';
import { ArchiveQuestion, DeleteQuestion } from './archive.tsx';
import { editFavorite, editFields, refreshFeature } from './edits.ts';
import { featureUsageQuery } from './feature-query.ts';
import { CompleteQuestion } from './lifecycle.tsx';
import { useFeatureView } from './view.ts';

const BulkDialog = lazyPart(() => import('../bulk/bulk-dialog.tsx'), 'BulkDialog');
const CloneDialog = lazyPart(() => import('../clone/clone-dialog.tsx'), 'CloneDialog');

type Question = 'archive' | 'delete' | 'complete' | 'clone' | 'move';

/** Revives an archived feature, disabled in every environment. */
export async function revive(name: string): Promise<void> {
  try {
    await api('POST /api/admin/archive/revive/:featureName', { params: { featureName: name } });
    tellDone({ id: `${name} archived`, title: `${name} revived, disabled in every environment` });
  } catch (error) {
    tellProblem(`revive ${name}`, error as Error);
  }
  await refreshFeature();
}

function FeatureMenu({ ask }: { readonly ask: (question: Question) => void }) {
  const { feature, project } = useFeatureView();
  const mayUpdate = useRefusal('UPDATE_FEATURE', { project });
  const mayRevive = useReviveRefusal(project);
  const mayArchive = useRefusal('DELETE_FEATURE', { project });
  const mayMove = useRefusal('MOVE_FEATURE_TOGGLE', { project });
  const isCompleted = feature.lifecycle.stage === 'completed';
  const params = { projectId: project, featureName: feature.name };
  const uncomplete = async () => {
    try {
      await api('POST /api/admin/projects/:projectId/features/:featureName/lifecycle/uncomplete', {
        params,
      });
    } catch (error) {
      tellProblem(`update ${feature.name}`, error as Error);
    }
    await refreshFeature();
  };
  return (
    <MenuButton
      position="bottom-end"
      dropdown={{ maw: 320 }}
      button={
        <ActionIcon variant="default" size={36} aria-label={`Actions for ${feature.name}`}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      }
    >
      {!feature.archived && (
        <>
          <GuardedItem
            refusal={mayUpdate}
            leftSection={<IconHourglass size={16} aria-hidden />}
            onClick={() =>
              void editFields(
                feature,
                { stale: !feature.stale },
                `${feature.name} marked as ${feature.stale ? 'active' : 'stale'}`,
              )
            }
          >
            {feature.stale ? 'Mark as active' : 'Mark as stale'}
          </GuardedItem>
          <GuardedItem
            refusal={mayUpdate}
            leftSection={
              isCompleted ? (
                <IconFlagOff size={16} aria-hidden />
              ) : (
                <IconFlagCheck size={16} aria-hidden />
              )
            }
            onClick={() => (isCompleted ? void uncomplete() : ask('complete'))}
          >
            {isCompleted ? 'Mark as not completed' : 'Mark as completed…'}
          </GuardedItem>
          <GuardedItem
            refusal={mayMove}
            leftSection={<IconFolderShare size={16} aria-hidden />}
            onClick={() => ask('move')}
          >
            Move to project…
          </GuardedItem>
          <Menu.Divider />
          <GuardedItem
            color="red"
            refusal={mayArchive}
            leftSection={<IconArchive size={16} aria-hidden />}
            onClick={() => ask('archive')}
          >
            Archive…
          </GuardedItem>
        </>
      )}
      {feature.archived && (
        <>
          <GuardedItem
            refusal={mayRevive}
            leftSection={<IconArchiveOff size={16} aria-hidden />}
            onClick={() => void revive(feature.name)}
          >
            Revive
          </GuardedItem>
          <GuardedItem
            color="red"
            refusal={mayArchive}
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => ask('delete')}
          >
            Delete permanently…
          </GuardedItem>
        </>
      )}
    </MenuButton>
  );
}

/** How many applications are named. */
const namedApplications = 2;

/** When applications last evaluated it, and which. */
function LastSeen() {
  const { feature } = useFeatureView();
  const applications = useQuery(featureUsageQuery(feature.name)).data?.seenApplications ?? [];
  const [last] = feature.environments
    .flatMap(({ lastSeenAt }) => lastSeenAt ?? [])
    .sort()
    .reverse();
  if (last === undefined) return null;
  const rest = applications.length - namedApplications;
  return (
    <Text size="sm" className="quiet">
      Last evaluated <Since instant={last} />
      {applications.length > 0 && ` by ${applications.slice(0, namedApplications).join(', ')}`}
      {rest > 0 && ` ${moreText(rest)}`}
    </Text>
  );
}

/** The name of the feature, its state, and the actions for it. */
export function FeatureHeader() {
  const { feature, project } = useFeatureView();
  const [question, setQuestion] = useState<Question>();
  const navigate = useNavigate();
  const cloneRefusal = useCloneRefusal();
  const projectName = useProjectName()(project);
  const close = () => setQuestion(undefined);
  const isExpired = feature.expiresAt !== undefined && new Date(feature.expiresAt) <= new Date();
  return (
    <header>
      <Breadcrumbs mb={4}>
        <PageLink to="/search" size="sm">
          Features
        </PageLink>
        <PageLink to="/projects/$projectId" params={{ projectId: project }} size="sm">
          {projectName}
        </PageLink>
      </Breadcrumbs>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Group gap={4} className={classes.featureName} wrap="nowrap">
          <Title order={1} size="h2" className={classes.title}>
            {feature.name}
          </Title>
          <CopyIcon text={feature.name} label="Copy name" variant="subtle" />
          <Tooltip label={feature.favorite ? 'Remove from favorites' : 'Add to favorites'}>
            <ActionIcon
              variant="subtle"
              color={feature.favorite ? 'yellow' : 'gray'}
              aria-label={`Favorite ${feature.name}`}
              aria-pressed={feature.favorite}
              onClick={() => void editFavorite(feature)}
            >
              {feature.favorite ? (
                <IconStarFilled size={16} aria-hidden />
              ) : (
                <IconStar size={16} aria-hidden />
              )}
            </ActionIcon>
          </Tooltip>
        </Group>
        <Group gap="xs" wrap="nowrap">
          <FollowButton project={project} feature={feature.name} name={feature.name} />
          {!feature.archived && (
            <GuardedButton
              variant="default"
              refusal={cloneRefusal}
              onClick={() => setQuestion('clone')}
            >
              Clone…
            </GuardedButton>
          )}
          <FeatureMenu ask={setQuestion} />
        </Group>
      </Group>
      <Group gap="xs" mt={6}>
        <Badge tt="none" variant="light">
          {typeName(feature.type)}
        </Badge>
        {!feature.archived && (
          <Badge tt="none" variant="outline" color="gray">
            {stageNames[feature.lifecycle.stage]}
          </Badge>
        )}
        {feature.stale && <StateBadge state="stale" />}
        {feature.potentiallyStale && <StateBadge state="potentially-stale" />}
        {isExpired && (
          <Badge tt="none" variant="light" color="yellow">
            Expired on {shortDay(feature.expiresAt ?? '')}
          </Badge>
        )}
        {feature.archived && (
          <Badge tt="none" variant="light" color="red">
            {stageNames.archived}
          </Badge>
        )}
        <Text size="sm" className="quiet">
          Created <Since instant={feature.createdAt} /> by{' '}
          <Actor name={feature.createdBy.name} id={feature.createdBy.id} />
        </Text>
        {feature.owner && (
          <Text size="sm" className="quiet">
            Owner: <OwnerName owner={feature.owner} />
          </Text>
        )}
        <LastSeen />
      </Group>
      {question === 'clone' && (
        <Suspense>
          <CloneDialog features={[{ name: feature.name, project }]} onClose={close} />
        </Suspense>
      )}
      {question === 'move' && (
        <Suspense>
          <BulkDialog
            action="move"
            names={[feature.name]}
            onGone={([featureName = ''], newProject = project) =>
              void navigate({
                to: '/projects/$projectId/features/$featureName',
                params: { projectId: newProject, featureName },
                replace: true,
              })
            }
            onClose={close}
          />
        </Suspense>
      )}
      {question === 'archive' && <ArchiveQuestion onClose={close} />}
      {question === 'delete' && <DeleteQuestion onClose={close} />}
      {question === 'complete' && <CompleteQuestion onClose={close} />}
    </header>
  );
}
