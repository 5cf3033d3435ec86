import {
  Alert,
  Button,
  Checkbox,
  Group,
  NumberInput,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { changeContract } from '../../../../../src/modules/catalogue/projects/change/contract.ts';
import { api, type Response } from '../../../api.ts';
import { useRefusal } from '../../../me.ts';
import { read } from '../../../queries.ts';
import { useDraftForm } from '../../../ui/draft-form.ts';
import { EditConflict } from '../../../ui/edit-conflict.tsx';
import { GuardedIcon } from '../../../ui/guarded.tsx';
import { tellDone } from '../../../ui/notices.tsx';
import { SaveBar } from '../../../ui/save-bar.tsx';
import { ModeChoice } from '../mode-choice.tsx';
import { NamingFields, useNamingFaults } from '../naming-fields.tsx';
import classes from '../projects.module.css';
import { ArchiveProject } from './archive-project.tsx';

const route = getRouteApi('/shell/projects/$projectId/settings/');

type Overview = Response<'GET /api/admin/projects/:projectId/overview'>;

const formOf = (project: Overview) => ({
  name: project.name,
  description: project.description ?? '',
  mode: project.mode,
  defaultStickiness: project.defaultStickiness,
  featureNaming: {
    pattern: project.featureNaming.pattern ?? '',
    example: project.featureNaming.example ?? '',
    description: project.featureNaming.description ?? '',
  },
  featureLimit: project.featureLimit,
  maxStale: project.budget.maxStale,
  minHealth: project.budget.minHealth,
  autoStale: project.autoStale,
  asksBeforeProduction: project.asksBeforeProduction,
  linkTemplates: project.linkTemplates.map(({ title, urlTemplate }) => ({
    title: title ?? '',
    urlTemplate,
  })),
});

type Form = ReturnType<typeof formOf>;

const limitText = (value: number | null) => (value === null ? 'none' : String(value));

/** What a change of a field is, in words. */
const words: { readonly [F in keyof Form]: (before: Form[F], after: Form[F]) => string } = {
  name: (before, after) => `name “${before}” → “${after}”`,
  description: () => 'description',
  mode: (before, after) => `mode ${before} → ${after}`,
  defaultStickiness: (before, after) => `stickiness ${before} → ${after}`,
  featureNaming: (before, after) =>
    after.pattern === ''
      ? 'naming pattern removed'
      : before.pattern === after.pattern
        ? 'explanation of the naming pattern'
        : `naming pattern ${after.pattern}`,
  featureLimit: (before, after) => `limit of features ${limitText(before)} → ${limitText(after)}`,
  maxStale: (before, after) =>
    `budget of stale features ${limitText(before)} → ${limitText(after)}`,
  minHealth: (before, after) => `lowest health ${limitText(before)} → ${limitText(after)}`,
  autoStale: (_, after) =>
    after ? 'features become stale by themselves' : 'features no longer become stale by themselves',
  asksBeforeProduction: (_, after) =>
    after ? 'switches in production ask first' : 'switches in production no longer ask first',
  linkTemplates: () => 'links of new features',
};

const sentence = <F extends keyof Form>(field: F, before: Form, after: Form): string =>
  words[field](before[field], after[field]);

const consequence: Readonly<Record<Form['mode'], string>> = {
  open: 'Everybody who can sign in sees the project, and roles of the installation count in it again.',
  protected:
    'From now on only roles in the project count. Whoever changes features here by a role of the installation alone can no longer do so.',
  private:
    'From now on only members and administrators see the project: its features, its events and its name disappear for everybody else.',
};

const toNumber = (value: string | number): number | null => (value === '' ? null : Number(value));

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className={classes.part} id={title.toLowerCase()}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </section>
  );
}

/** What a project is, who may see it, and the rules for its features. All is saved together. */
export function GeneralSettings() {
  const { projectId } = route.useParams();
  const project = useSuspenseQuery(
    read('GET /api/admin/projects/:projectId/overview', { params: { projectId } }),
  ).data;
  const context = useQuery(read('GET /api/admin/context', {})).data ?? [];
  const refusal = useRefusal(['UPDATE_PROJECT', 'PROJECT_SETTINGS_WRITE'], { project: projectId });
  const disabled = refusal !== undefined;
  const saved = formOf(project);
  const draft = useDraftForm({
    saved,
    schema: changeContract.updateProjectSettings.body,
    fields: ['name', 'description', 'defaultStickiness', 'featureLimit'],
    bodyOf: (form, fields) => {
      const has = (field: keyof Form) => fields.includes(field);
      const { name, description, featureNaming, maxStale, minHealth } = form;
      return {
        ...(has('name') && { name: name.trim() }),
        ...(has('description') && { description: description || null }),
        ...(has('mode') && { mode: form.mode }),
        ...(has('defaultStickiness') && { defaultStickiness: form.defaultStickiness }),
        ...(has('featureNaming') && {
          featureNaming: featureNaming.pattern === '' ? { pattern: '' } : featureNaming,
        }),
        ...(has('featureLimit') && { featureLimit: form.featureLimit }),
        ...(has('autoStale') && { autoStale: form.autoStale }),
        ...(has('asksBeforeProduction') && { asksBeforeProduction: form.asksBeforeProduction }),
        ...(has('linkTemplates') && { linkTemplates: form.linkTemplates }),
        ...((has('maxStale') || has('minHealth')) && { budget: { maxStale, minHealth } }),
      };
    },
    send: (body) =>
      api('PUT /api/admin/projects/:projectId/settings', { params: { projectId }, body }),
    refreshes: [
      'GET /api/admin/projects/:projectId/overview',
      'GET /api/admin/projects/:projectId/budget',
      'GET /api/admin/projects',
    ],
    onSaved: () => tellDone({ id: `settings ${projectId}`, title: 'Project settings saved' }),
  });
  const { values, changed, disputed, set } = draft;
  const namingFaults = useNamingFaults(values.featureNaming);

  const problem =
    values.name.trim() === ''
      ? 'A project needs a name.'
      : (namingFaults.pattern ??
        namingFaults.example ??
        (values.linkTemplates.some(({ urlTemplate }) => !/^https?:\/\/\S+$/i.test(urlTemplate))
          ? 'Every link needs an address that begins with https:// or http://.'
          : undefined));
  const stickinesses = [
    ...new Set([
      'default',
      'random',
      ...context.filter(({ stickiness }) => stickiness).map(({ name }) => name),
      values.defaultStickiness,
    ]),
  ];

  return (
    <Stack gap="xl" className={classes.form}>
      {disabled && <Alert color="gray">{refusal}</Alert>}
      <Part title="General">
        <TextInput label="Name" disabled={disabled} maxLength={100} {...draft.textProps('name')} />
        <TextInput
          label="Id"
          value={projectId}
          readOnly
          variant="filled"
          description="It never changes."
        />
        <Textarea
          label="Description"
          disabled={disabled}
          autosize
          minRows={2}
          {...draft.textProps('description')}
        />
      </Part>
      <Part title="Visibility">
        <ModeChoice mode={values.mode} disabled={disabled} onChange={(mode) => set('mode', mode)} />
        {changed.includes('mode') && (
          <Alert color="yellow" role="status">
            {consequence[values.mode]}
          </Alert>
        )}
      </Part>
      <Part title="Features">
        <Select
          label="Default stickiness"
          description="Decides for new rollouts and variants who stays in the same group: default takes the user, else the session."
          data={stickinesses}
          allowDeselect={false}
          disabled={disabled}
          value={values.defaultStickiness}
          error={draft.errorAt('defaultStickiness')}
          onChange={(value) => value && set('defaultStickiness', value)}
        />
        <NumberInput
          label="Limit of features"
          description="How many active features it may have. Empty: no limit."
          min={0}
          allowDecimal={false}
          allowNegative={false}
          disabled={disabled}
          value={values.featureLimit ?? ''}
          error={draft.errorAt('featureLimit')}
          onChange={(value) => set('featureLimit', toNumber(value))}
        />
        <div>
          <Text size="sm" fw={500} mb={4}>
            Names of features
          </Text>
          <NamingFields
            naming={values.featureNaming}
            disabled={disabled}
            onChange={(naming) => set('featureNaming', naming)}
          />
        </div>
        <Checkbox
          label="Ask before a feature is switched in production"
          description="Applies to switches on this page in environments of the type production."
          disabled={disabled}
          {...draft.checkedProps('asksBeforeProduction')}
        />
        <LinkTemplates
          links={values.linkTemplates}
          disabled={disabled}
          onChange={(links) => set('linkTemplates', links)}
        />
      </Part>
      <Part title="Health">
        <Text size="sm" className="quiet">
          A budget blocks nothing. Where it is exceeded, the project says so.
        </Text>
        <Group grow align="start" preventGrowOverflow={false}>
          <NumberInput
            label="At most so many stale or due features"
            min={0}
            allowDecimal={false}
            allowNegative={false}
            disabled={disabled}
            miw={220}
            value={values.maxStale ?? ''}
            onChange={(value) => set('maxStale', toNumber(value))}
          />
          <NumberInput
            label="At least this health"
            suffix=" %"
            min={0}
            max={100}
            clampBehavior="strict"
            allowDecimal={false}
            allowNegative={false}
            disabled={disabled}
            miw={220}
            value={values.minHealth ?? ''}
            onChange={(value) => set('minHealth', toNumber(value))}
          />
        </Group>
        <Checkbox
          label="Mark features as stale when the lifetime of their type is over"
          description="Without this they are only shown as due, and somebody decides."
          disabled={disabled}
          {...draft.checkedProps('autoStale')}
        />
      </Part>
      <ArchiveProject project={project} />
      {draft.error && (
        <Alert color="red" role="alert">
          {draft.error.message}
        </Alert>
      )}
      <SaveBar
        changes={changed.map((field) => sentence(field, saved, values))}
        onSave={draft.save}
        onDiscard={draft.discard}
        isSaving={draft.isPending}
        problem={problem}
      >
        <EditConflict
          theirs={disputed.map((field) => sentence(field, values, saved))}
          isAbout={(event) => event.type === 'project-updated' && event.project === projectId}
          onTake={() => draft.drop(disputed)}
        />
      </SaveBar>
    </Stack>
  );
}

interface LinkProps {
  readonly links: Form['linkTemplates'];
  readonly disabled: boolean;
  readonly onChange: (links: Form['linkTemplates']) => void;
}

/** Links that every new feature gets, such as one to its ticket. */
function LinkTemplates({ links, disabled, onChange }: LinkProps) {
  const change = (index: number, part: Partial<Form['linkTemplates'][number]>) =>
    onChange(links.map((link, place) => (place === index ? { ...link, ...part } : link)));
  return (
    <Stack gap="xs">
      <div>
        <Text size="sm" fw={500}>
          Links of new features
        </Text>
        <Text size="xs" className="quiet">
          {'{{feature}} and {{project}} stand for the name and the project.'}
        </Text>
      </div>
      {links.map((link, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a link is known by its place
        <Group key={index} gap="xs" wrap="nowrap">
          <TextInput
            aria-label={`Title of link ${index + 1}`}
            placeholder="Title"
            w={140}
            disabled={disabled}
            value={link.title}
            onChange={({ currentTarget }) => change(index, { title: currentTarget.value })}
          />
          <TextInput
            aria-label={`Address of link ${index + 1}`}
            placeholder="https://tickets.example.com/{{feature}}"
            flex={1}
            disabled={disabled}
            value={link.urlTemplate}
            onChange={({ currentTarget }) => change(index, { urlTemplate: currentTarget.value })}
          />
          {!disabled && (
            <GuardedIcon
              icon={IconTrash}
              refusal={undefined}
              label={`Remove link ${index + 1}`}
              onClick={() => onChange(links.filter((_, place) => place !== index))}
            />
          )}
        </Group>
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          disabled={disabled}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...links, { title: '', urlTemplate: 'https://' }])}
        >
          Add a link
        </Button>
      </div>
    </Stack>
  );
}
