import {
  ActionIcon,
  Badge,
  Button,
  Group,
  Modal,
  MultiSelect,
  SegmentedControl,
  Select,
  Stack,
  Text,
} from '@mantine/core';
import { IconArrowDown, IconPencil, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../../queries.ts';
import { joinOr } from '../../ui/format.ts';
import { GuardedButton } from '../../ui/guarded.tsx';
import { isSame } from '../../ui/is-same.ts';
import { PageLink } from '../../ui/link.tsx';
import classes from '../flags.module.css';
import { changeDependencies, type Dependency } from './draft.ts';
import { useFeatureRefusal } from './feature-refusal.ts';
import { useFeatureView } from './view.ts';

const requiredState = ({ enabled, variants }: Dependency): string =>
  enabled ? `enabled${variants.length > 0 ? ` with variant ${joinOr(variants)}` : ''}` : 'disabled';

interface EditorProps {
  readonly dependency: Dependency | undefined;
  readonly onClose: () => void;
}

/** A parent, and its required state. */
function DependencyEditor({ dependency, onClose }: EditorProps) {
  const { feature, project, draft, change } = useFeatureView();
  const [parent, setParent] = useState<string | null>(dependency?.feature ?? null);
  const [enabled, setEnabled] = useState(dependency?.enabled ?? true);
  const [variants, setVariants] = useState<readonly string[]>(dependency?.variants ?? []);
  const parents = useQuery(
    read('GET /api/admin/projects/:projectId/features/:featureName/parents', {
      params: { projectId: project, featureName: feature.name },
    }),
  );
  const known = useQuery({
    ...read('GET /api/admin/projects/:projectId/features/:featureName/parent-variants', {
      params: { projectId: project, featureName: parent ?? '' },
    }),
    enabled: parent !== null,
  });
  const current = draft.dependencies?.after ?? feature.dependencies;
  const save = () => {
    if (!parent) return;
    const next = { feature: parent, enabled, variants: enabled ? [...variants] : [] };
    const rest = current.filter(
      (each) => each.feature !== parent && each.feature !== dependency?.feature,
    );
    change((before) => changeDependencies(before, feature.dependencies, [...rest, next]));
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={dependency ? 'Edit dependency' : 'Add dependency'}
      centered
    >
      <Stack>
        <Select
          label="Parent feature"
          placeholder="Select a feature in this project"
          searchable
          data-autofocus
          limit={200}
          nothingFoundMessage={
            parents.isPending
              ? 'Loading…'
              : parents.data?.length
                ? 'No matching features'
                : 'No eligible features in this project'
          }
          data={[...new Set([...(parents.data ?? []), ...(parent ? [parent] : [])])]}
          value={parent}
          onChange={(value) => {
            setParent(value);
            setVariants([]);
          }}
        />
        <div>
          <Text size="sm" fw={500} mb={4} id="parent-state">
            Required state
          </Text>
          <SegmentedControl
            aria-labelledby="parent-state"
            data={[
              { value: 'on', label: 'Enabled' },
              { value: 'off', label: 'Disabled' },
            ]}
            value={enabled ? 'on' : 'off'}
            onChange={(value) => setEnabled(value === 'on')}
          />
        </div>
        {enabled && (known.data?.length ?? 0) + variants.length > 0 && (
          <MultiSelect
            label="Variants (optional)"
            placeholder={variants.length === 0 ? 'Any variant' : ''}
            data={[...new Set([...(known.data ?? []), ...variants])]}
            value={[...variants]}
            onChange={setVariants}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={save} disabled={parent === null}>
            {dependency ? 'Save' : 'Add dependency'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Parents above, children below: a small graph that reads as a list. */
export function Dependencies() {
  const { feature, project, draft, change } = useFeatureView();
  const [edited, setEdited] = useState<Dependency | 'new'>();
  const refused = useFeatureRefusal('UPDATE_FEATURE_DEPENDENCY');
  const current = draft.dependencies?.after ?? feature.dependencies;
  const refusal =
    refused ??
    (feature.children.length > 0
      ? "Other features depend on this one, so it can't have a parent itself."
      : undefined);
  const isNew = (dependency: Dependency) =>
    !feature.dependencies.some((each) => isSame(each, dependency));
  const remove = (dependency: Dependency) =>
    change((before) =>
      changeDependencies(
        before,
        feature.dependencies,
        current.filter((each) => each.feature !== dependency.feature),
      ),
    );
  return (
    <>
      <div className={classes.graph}>
        {current.map((dependency) => (
          <div key={dependency.feature} className={classes.node}>
            <div className={classes.name}>
              <PageLink
                to="/projects/$projectId/features/$featureName"
                params={{ projectId: project, featureName: dependency.feature }}
                size="sm"
                className={classes.title}
              >
                {dependency.feature}
              </PageLink>
              <Text size="xs" className="quiet">
                Must be {requiredState(dependency)}
              </Text>
            </div>
            <Group gap={0} wrap="nowrap">
              {isNew(dependency) && (
                <Badge size="xs" color="yellow" variant="light" tt="none">
                  Unsaved
                </Badge>
              )}
              {refusal === undefined && (
                <>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Edit dependency on ${dependency.feature}`}
                    onClick={() => setEdited(dependency)}
                  >
                    <IconPencil size={14} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Remove dependency on ${dependency.feature}`}
                    onClick={() => remove(dependency)}
                  >
                    <IconX size={14} aria-hidden />
                  </ActionIcon>
                </>
              )}
            </Group>
          </div>
        ))}
        {current.length > 0 && (
          <IconArrowDown size={16} className={classes.edge} aria-label="required by" />
        )}
        {(current.length > 0 || feature.children.length > 0) && (
          <div className={classes.node} data-self>
            <Text size="sm" fw={600} className={classes.title}>
              {feature.name}
            </Text>
          </div>
        )}
        {feature.children.length > 0 && (
          <IconArrowDown size={16} className={classes.edge} aria-label="required by" />
        )}
        {feature.children.map((child) => (
          <div key={child} className={classes.node}>
            <PageLink
              to="/projects/$projectId/features/$featureName"
              params={{ projectId: project, featureName: child }}
              size="sm"
              className={classes.title}
            >
              {child}
            </PageLink>
          </div>
        ))}
      </div>
      {current.length === 0 && feature.children.length === 0 && (
        <Text size="sm" className="quiet" mb={4}>
          No dependencies
        </Text>
      )}
      <GuardedButton
        refusal={refusal}
        size="compact-sm"
        variant="subtle"
        className="flush"
        onClick={() => setEdited('new')}
      >
        Add dependency
      </GuardedButton>
      {edited && (
        <DependencyEditor
          dependency={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}
