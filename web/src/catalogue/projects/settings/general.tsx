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
import { api } from '../../../api.ts';
import { useRefusal } from '../../../me.ts';
import { read } from '../../../queries.ts';
import { useDraftForm } from '../../../ui/draft-form.ts';
import { EditConflict } from '../../../ui/edit-conflict.tsx';
import { GuardedIcon } from '../../../ui/guarded.tsx';
import { tellDone } from '../../../ui/notices.tsx';
import { SaveBar } from '../../../ui/save-bar.tsx';
import { WithCode } from '../../../ui/with-code.tsx';
import { ModeChoice } from '../mode-choice.tsx';
import { NamingFields, useNamingFaults } from '../naming-fields.tsx';
import classes from '../projects.module.css';
import { ArchiveProject } from './archive-project.tsx';
import { changeText, consequences, formOf, type ProjectForm } from './project-form.ts';

const route = getRouteApi('/shell/projects/$projectId/settings/');

const toNumber = (value: string | number): number | null => (value === '' ? null : Number(value));

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section
      aria-label={title}
      className={classes.part}
      id={title.toLowerCase().replaceAll(' ', '-')}
    >
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </section>
  );
}

/** The settings of a project, saved together. */
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
      const has = (field: keyof ProjectForm) => fields.includes(field);
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
      ? 'Enter a name'
      : (namingFaults.pattern ??
        namingFaults.example ??
        (values.linkTemplates.some(({ urlTemplate }) => !/^https?:\/\/\S+$/i.test(urlTemplate))
          ? 'Enter a URL that starts with https:// or http:// for each link template'
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
      {disabled && (
        <Alert color="gray">
          <WithCode text={refusal} />
        </Alert>
      )}
      <Part title="General">
        <TextInput label="Name" disabled={disabled} maxLength={100} {...draft.textProps('name')} />
        <TextInput
          label="Project ID"
          value={projectId}
          readOnly
          variant="filled"
          description="Can't be changed"
        />
        <Textarea
          label="Description"
          disabled={disabled}
          autosize
          minRows={2}
          {...draft.textProps('description')}
        />
      </Part>
      <Part title="Project mode">
        <ModeChoice
          isTitled
          mode={values.mode}
          disabled={disabled}
          onChange={(mode) => set('mode', mode)}
        />
        {changed.includes('mode') && (
          <Alert color="yellow" role="status">
            {consequences[values.mode]}
          </Alert>
        )}
      </Part>
      <Part title="Features">
        <Select
          label="Default stickiness"
          description="The context field that keeps users in the same rollout group and variant. “default” uses userId, then sessionId."
          data={stickinesses}
          allowDeselect={false}
          disabled={disabled}
          value={values.defaultStickiness}
          error={draft.errorAt('defaultStickiness')}
          onChange={(value) => value && set('defaultStickiness', value)}
        />
        <NumberInput
          label="Feature limit"
          description="Maximum number of active features. Leave empty for no limit."
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
            Naming pattern
          </Text>
          <NamingFields
            naming={values.featureNaming}
            disabled={disabled}
            onChange={(naming) => set('featureNaming', naming)}
          />
        </div>
        <Checkbox
          label="Confirm changes in production"
          description="Ask before enabling or disabling a feature in a production environment. Applies to this UI, not the API."
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
          Going over budget flags the project but doesn't block changes.
        </Text>
        <Group grow align="start" preventGrowOverflow={false}>
          <NumberInput
            label="Max. features needing cleanup"
            min={0}
            allowDecimal={false}
            allowNegative={false}
            disabled={disabled}
            miw={220}
            value={values.maxStale ?? ''}
            onChange={(value) => set('maxStale', toNumber(value))}
          />
          <NumberInput
            label="Min. health"
            suffix="%"
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
          label="Mark features as stale automatically"
          description="When a feature passes its expected lifetime. If off, it's only flagged as potentially stale."
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
        changes={changed.map((field) => changeText(field, saved, values))}
        onSave={draft.save}
        onDiscard={draft.discard}
        isSaving={draft.isPending}
        problem={problem}
      >
        <EditConflict
          theirs={disputed.map((field) => changeText(field, values, saved))}
          isAbout={(event) => event.type === 'project-updated' && event.project === projectId}
          onTake={() => draft.drop(disputed)}
        />
      </SaveBar>
    </Stack>
  );
}

interface LinkProps {
  readonly links: ProjectForm['linkTemplates'];
  readonly disabled: boolean;
  readonly onChange: (links: ProjectForm['linkTemplates']) => void;
}

/** Links that every new feature gets, such as one to its ticket. */
function LinkTemplates({ links, disabled, onChange }: LinkProps) {
  const change = (index: number, part: Partial<ProjectForm['linkTemplates'][number]>) =>
    onChange(links.map((link, place) => (place === index ? { ...link, ...part } : link)));
  return (
    <Stack gap="xs">
      <div>
        <Text size="sm" fw={500}>
          Link templates
        </Text>
        <Text size="xs" className="quiet">
          {'Added to new features. Use {{feature}} and {{project}} as placeholders.'}
        </Text>
      </div>
      {links.map((link, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a link is known by its place
        <Group key={index} gap="xs" wrap="nowrap">
          <TextInput
            aria-label={`Link ${index + 1} title`}
            placeholder="Title"
            w={140}
            disabled={disabled}
            value={link.title}
            onChange={({ currentTarget }) => change(index, { title: currentTarget.value })}
          />
          <TextInput
            aria-label={`Link ${index + 1} URL`}
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
          Add link
        </Button>
      </div>
    </Stack>
  );
}
