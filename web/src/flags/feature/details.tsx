import {
  ActionIcon,
  Autocomplete,
  Badge,
  Button,
  Group,
  Popover,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { IconPencil, IconPlus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { written } from '../../events/query/grammar.ts';
import { read } from '../../queries.ts';
import { Actor } from '../../ui/actor.tsx';
import { GuardedIcon, GuardedSwitch, refusedField } from '../../ui/guarded.tsx';
import { PageLink } from '../../ui/link.tsx';
import { modKey } from '../../ui/mod-key.ts';
import { fieldTime, readTime } from '../../ui/time-zone.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { typeName } from '../feature-words.ts';
import classes from '../flags.module.css';
import { OwnerSelect } from '../owner-select.tsx';
import { tagText } from '../tag-text.ts';
import { Dependencies } from './dependencies.tsx';
import { useUnfinished } from './draft-store.ts';
import { editExpiry, editFields, editOwner, editTag } from './edits.ts';
import { useFeatureRefusal } from './feature-refusal.ts';
import { Lifecycle } from './lifecycle.tsx';
import { Links } from './links.tsx';
import { useFeatureView } from './view.ts';

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section aria-label={title} className={classes.detail}>
    <Title order={2} size="h6" mb={6}>
      {title}
    </Title>
    {children}
  </section>
);

/** Text that becomes a field to edit it. */
function Description() {
  const { feature } = useFeatureView();
  const refusal = useFeatureRefusal('UPDATE_FEATURE');
  const [text, setText] = useUnfinished(`description ${feature.name}`);
  const save = () => {
    if (text !== undefined && text !== (feature.description ?? '')) {
      void editFields(feature, { description: text || null }, 'Description updated');
    }
    setText(undefined);
  };
  if (text !== undefined) {
    return (
      <Textarea
        aria-label="Description"
        autosize
        minRows={2}
        maxRows={12}
        maxLength={10_000}
        autoFocus
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setText(undefined);
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
        }}
        description={`${modKey} Enter to save, Esc to cancel`}
      />
    );
  }
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <Text size="sm" className={classes.description} flex={1} dir="auto">
        {feature.description || <span className="quiet">No description</span>}
      </Text>
      <GuardedIcon
        icon={IconPencil}
        label="Edit description"
        refusal={refusal}
        onClick={() => setText(feature.description ?? '')}
      />
    </Group>
  );
}

function AddTag() {
  const { feature } = useFeatureView();
  const refusal = useFeatureRefusal('UPDATE_FEATURE');
  const [isOpen, setOpen] = useState(false);
  const [type, setType] = useState('simple');
  const [value, setValue] = useState('');
  const types = useQuery({ ...read('GET /api/admin/tag-types', {}), enabled: isOpen }).data;
  const tags = useQuery({ ...read('GET /api/admin/tags', {}), enabled: isOpen }).data;
  const trimmed = value.trim();
  if (refusal !== undefined) {
    return <GuardedIcon icon={IconPlus} size="sm" label="Add tag" refusal={refusal} />;
  }
  const add = () => {
    if (trimmed === '') return;
    void editTag(feature, { type, value: trimmed }, true);
    setValue('');
    setOpen(false);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus withArrow shadow="md" width={300}>
      <Popover.Target>
        <Tooltip label="Add tag">
          <ActionIcon
            size="sm"
            variant="default"
            aria-label="Add tag"
            onClick={() => setOpen(!isOpen)}
          >
            <IconPlus size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            add();
          }}
        >
          <Stack gap="xs">
            <Select
              label="Type"
              allowDeselect={false}
              comboboxProps={{ withinPortal: false }}
              data={types?.tagTypes.map(({ name }) => name) ?? ['simple']}
              value={type}
              onChange={(chosen) => setType(chosen ?? 'simple')}
            />
            <Autocomplete
              label="Value"
              data-autofocus
              limit={50}
              comboboxProps={{ withinPortal: false }}
              data={[
                ...new Set(
                  tags?.tags.filter((tag) => tag.type === type).map((tag) => tag.value) ?? [],
                ),
              ]}
              value={value}
              onChange={setValue}
            />
            <Button type="submit" size="xs" disabled={trimmed === ''}>
              Add tag
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

function Tags() {
  const { feature } = useFeatureView();
  const refusal = useFeatureRefusal('UPDATE_FEATURE');
  return (
    <Group gap={6}>
      {feature.tags.map((tag) => (
        <Badge
          key={tagText(tag)}
          tt="none"
          variant="outline"
          color="gray"
          maw="100%"
          rightSection={
            refusal === undefined && (
              <ActionIcon
                size={14}
                variant="transparent"
                color="gray"
                aria-label={`Remove tag ${tagText(tag)}`}
                onClick={() => void editTag(feature, tag, false)}
              >
                <IconX size={12} aria-hidden />
              </ActionIcon>
            )
          }
        >
          {tagText(tag)}
        </Badge>
      ))}
      <AddTag />
    </Group>
  );
}

function TypeAndData() {
  const { feature } = useFeatureView();
  const refusal = useFeatureRefusal('UPDATE_FEATURE');
  const types = useQuery(read('GET /api/admin/feature-types', {})).data?.types;
  return (
    <Stack gap="xs">
      <Tooltip label={refusal} disabled={refusal === undefined} multiline maw={260}>
        <Select
          aria-label="Feature type"
          size="xs"
          allowDeselect={false}
          {...(refusal !== undefined && refusedField(refusal))}
          data={types?.map(({ id, name }) => ({ value: id, label: name })) ?? [feature.type]}
          value={feature.type}
          renderOption={({ option }) => (
            <div>
              {option.label}
              <Text size="xs" className="quiet">
                {types?.find(({ id }) => id === option.value)?.description}
              </Text>
            </div>
          )}
          onChange={(type) => {
            if (type && type !== feature.type) {
              void editFields(feature, { type }, `Type changed to ${typeName(type)}`);
            }
          }}
        />
      </Tooltip>
      <GuardedSwitch
        size="xs"
        label="Impression data"
        description="SDKs emit an event on every evaluation"
        refusal={refusal}
        checked={feature.impressionData}
        onChange={() =>
          void editFields(
            feature,
            { impressionData: !feature.impressionData },
            feature.impressionData ? 'Impression data disabled' : 'Impression data enabled',
          )
        }
      />
    </Stack>
  );
}

function FeatureOwner() {
  const { feature, project } = useFeatureView();
  const refusal = useFeatureRefusal('UPDATE_FEATURE');
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects;
  const isPrivate = projects?.find(({ id }) => id === project)?.mode === 'private';
  return (
    <Tooltip label={refusal} disabled={refusal === undefined} multiline maw={260}>
      <div>
        <OwnerSelect
          aria-label="Owner"
          size="xs"
          owner={feature.owner}
          description={
            isPrivate && refusal === undefined ? 'Needs access to this private project' : undefined
          }
          {...(refusal !== undefined && refusedField(refusal))}
          onChange={(owner) => void editOwner(feature, owner)}
        />
      </div>
    </Tooltip>
  );
}

/** The day on which a feature expires, in the chosen time zone. Saved when the field is left. */
function Expiry() {
  const { feature } = useFeatureView();
  const refusal = useFeatureRefusal('UPDATE_FEATURE');
  const saved =
    feature.expiresAt === undefined ? '' : fieldTime(new Date(feature.expiresAt)).slice(0, 10);
  const [typed, setTyped] = useState<string>();
  const save = () => {
    if (typed !== undefined && typed !== saved) {
      void editExpiry(feature, typed === '' ? null : readTime(`${typed}T00:00`).toISOString());
    }
    setTyped(undefined);
  };
  return (
    <Tooltip label={refusal} disabled={refusal === undefined} multiline maw={260}>
      <TextInput
        type="date"
        aria-label="Expiry date"
        size="xs"
        min="1970-01-02"
        max="9999-12-30"
        {...(refusal !== undefined && refusedField(refusal))}
        value={typed ?? saved}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={save}
        onKeyDown={({ key }) => {
          if (key === 'Enter') save();
          if (key === 'Escape') setTyped(undefined);
        }}
      />
    </Tooltip>
  );
}

/** Beside the environments: description, tags, links, dependencies, lifecycle and others. */
export function Details({
  applications,
}: {
  readonly applications: readonly string[] | undefined;
}) {
  const { feature } = useFeatureView();
  return (
    <aside className={`card ${classes.details}`} aria-label="Feature details">
      <Part title="Description">
        <Description />
      </Part>
      <Part title="Owner">
        <FeatureOwner />
      </Part>
      <Part title="Tags">
        <Tags />
      </Part>
      <Part title="Links">
        <Links />
      </Part>
      <Part title="Type">
        <TypeAndData />
      </Part>
      <Part title="Expiry date">
        <Expiry />
      </Part>
      <Part title="Dependencies">
        <Dependencies />
      </Part>
      <Part title="Lifecycle">
        <Lifecycle />
      </Part>
      <Part title="Applications">
        {applications?.length === 0 ? (
          <Text size="sm" className="quiet">
            No applications yet
          </Text>
        ) : (
          <Text size="sm" className={classes.title}>
            {applications?.join(', ')}
          </Text>
        )}
      </Part>
      <Part title="Collaborators">
        <Text size="sm" component="div" className={classes.title}>
          {feature.collaborators.users.map(({ id, name }) => (
            <div key={id}>
              <Actor name={name} id={id} />
            </div>
          ))}
        </Text>
        <PageLink to="/history" search={{ q: `feature:${written(feature.name)}` }} size="xs">
          View event log
        </PageLink>
      </Part>
    </aside>
  );
}
