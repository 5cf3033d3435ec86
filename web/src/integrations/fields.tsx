import {
  Button,
  Checkbox,
  Collapse,
  Group,
  MultiSelect,
  NumberInput,
  PasswordInput,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
  Title,
  UnstyledButton,
} from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { labelOf } from '../events/sentence.ts';
import { TagsField } from '../flags/tags-field.tsx';
import { useProjectName } from '../project-name.tsx';
import { read } from '../queries.ts';
import { agree, plural } from '../ui/format.ts';
import { type Form, fieldsOf, stars } from './form.ts';
import classes from './integrations.module.css';
import { Marked } from './marked.tsx';
import { groupTypes, type Provider } from './words.ts';

type SetField = <F extends keyof Form>(field: F, value: Form[F]) => void;

interface FieldsProps {
  readonly provider: Provider;
  readonly form: Form;
  readonly set: SetField;
  readonly disabled: boolean;
  /** What is wrong with a field of the last attempt to save. */
  readonly errorAt: (field: keyof Form | `parameters.${string}`) => string | undefined;
}

type Parameter = Provider['parameters'][number];

interface ParameterProps {
  readonly parameter: Parameter;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
  readonly disabled: boolean;
  readonly fault: string | undefined;
}

/** A secret goes in and never comes back: what is stored stays until something else is typed. */
function SecretField({ parameter, value, onChange, disabled, fault }: ParameterProps) {
  const isStored = value === stars;
  return (
    <Group align="end" gap="xs" wrap="nowrap">
      <PasswordInput
        flex={1}
        label={parameter.displayName}
        description={<Marked text={parameter.description} />}
        placeholder={isStored ? 'Saved. Enter a new value to replace it' : parameter.placeholder}
        required={parameter.required}
        withAsterisk={parameter.required}
        value={isStored ? '' : (value ?? '')}
        disabled={disabled}
        error={fault}
        autoComplete="new-password"
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {isStored && !parameter.required && !disabled && (
        <Button variant="default" onClick={() => onChange('')}>
          Remove
        </Button>
      )}
    </Group>
  );
}

function ParameterField(props: ParameterProps) {
  const { parameter, value = '', onChange, disabled, fault } = props;
  const common = {
    label: parameter.displayName,
    description: <Marked text={parameter.description} />,
    disabled,
    error: fault,
  };
  if (parameter.sensitive) return <SecretField {...props} />;
  if (parameter.type === 'boolean') {
    return (
      <Checkbox
        {...common}
        checked={value === 'true'}
        onChange={({ currentTarget }) => onChange(String(currentTarget.checked))}
      />
    );
  }
  const text = {
    ...common,
    ...(parameter.placeholder !== undefined && { placeholder: parameter.placeholder }),
    withAsterisk: parameter.required,
    value,
  };
  if (parameter.type === 'number') {
    return <NumberInput {...text} onChange={(next) => onChange(String(next))} />;
  }
  if (parameter.type === 'textfield') {
    return (
      <Textarea
        {...text}
        autosize
        minRows={3}
        maxRows={14}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...text}
      type={parameter.type === 'url' ? 'url' : 'text'}
      autoComplete="off"
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface TypesProps {
  readonly all: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (types: readonly string[]) => void;
  readonly disabled: boolean;
}

/** Event types by subject: all of a subject at once, or one by one. */
function EventTypes({ all, chosen, onChange, disabled }: TypesProps) {
  const [open, setOpen] = useState<string>();
  const groups = groupTypes(all);
  const change = (types: readonly string[], isWanted: boolean) =>
    onChange(all.filter((type) => (types.includes(type) ? isWanted : chosen.includes(type))));
  return (
    <Stack gap={2}>
      {groups.map(({ title, types }) => {
        const count = types.filter((type) => chosen.includes(type)).length;
        const isOpen = open === title;
        const Chevron = isOpen ? IconChevronDown : IconChevronRight;
        return (
          <div key={title}>
            <Group gap="sm" wrap="nowrap">
              <Checkbox
                aria-label={`Select all in ${title}`}
                disabled={disabled}
                checked={count === types.length}
                indeterminate={count > 0 && count < types.length}
                onChange={({ currentTarget }) => change(types, currentTarget.checked)}
              />
              <UnstyledButton
                className={classes.grow}
                py={4}
                aria-expanded={isOpen}
                onClick={() => setOpen(isOpen ? undefined : title)}
              >
                <Group gap={6} wrap="nowrap">
                  <Chevron size={14} aria-hidden />
                  <Text size="sm" fw={500}>
                    {title}
                  </Text>
                  <Text size="xs" className="quiet tabular">
                    {count} of {types.length}
                  </Text>
                </Group>
              </UnstyledButton>
            </Group>
            <Collapse expanded={isOpen} transitionDuration={0}>
              <div className={classes.types}>
                {types.map((type) => (
                  <Checkbox
                    key={type}
                    size="xs"
                    label={labelOf(type)}
                    title={type}
                    disabled={disabled}
                    checked={chosen.includes(type)}
                    onChange={({ currentTarget }) => change([type], currentTarget.checked)}
                  />
                ))}
              </div>
            </Collapse>
          </div>
        );
      })}
    </Stack>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className={classes.part}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </section>
  );
}

/** Everything about an integration that can be set, drawn from the definition of its provider. */
export function IntegrationFields({ provider, form, set, disabled, errorAt }: FieldsProps) {
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects ?? [];
  const environments = useQuery(read('GET /api/admin/environments', {})).data?.environments ?? [];
  const nameOfProject = useProjectName();
  const [isMore, setMore] = useState(false);
  const fields = fieldsOf(provider);
  const shown = fields.filter(
    ({ required, name }) => required || isMore || Boolean(form.parameters[name]),
  );
  const known = (names: readonly string[], stored: readonly string[]) => [
    ...new Set([...names, ...stored]),
  ];
  return (
    <Stack gap="xl">
      <Part title="General">
        <TextInput
          label="Description"
          description="Shown as the integration's name"
          placeholder={`${provider.displayName} for the web team`}
          value={form.description}
          disabled={disabled}
          error={errorAt('description')}
          onChange={({ currentTarget }) => set('description', currentTarget.value)}
        />
        <Switch
          label="Enabled"
          description="While disabled, events are skipped. To queue them instead, pause the integration."
          checked={form.enabled}
          disabled={disabled}
          onChange={({ currentTarget }) => set('enabled', currentTarget.checked)}
        />
      </Part>
      <Part title="Destination">
        {shown.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            value={form.parameters[parameter.name]}
            disabled={disabled}
            fault={errorAt(`parameters.${parameter.name}`)}
            onChange={(value) => set('parameters', { ...form.parameters, [parameter.name]: value })}
          />
        ))}
        {shown.length < fields.length && (
          <div>
            <Button variant="subtle" size="compact-sm" onClick={() => setMore(true)}>
              Show {plural(fields.length - shown.length, 'more setting')}
            </Button>
          </div>
        )}
      </Part>
      <Part title="Events">
        <EventTypes
          all={provider.events}
          chosen={form.events}
          disabled={disabled}
          onChange={(types) => set('events', types)}
        />
        {errorAt('events') !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)">
            {errorAt('events')}
          </Text>
        )}
        <MultiSelect
          label="Projects"
          description="Leave empty for all projects and events outside projects"
          placeholder={form.projects.length === 0 ? 'All projects' : ''}
          data={known(
            projects.map(({ id }) => id),
            form.projects,
          ).map((id) => ({ value: id, label: nameOfProject(id) }))}
          searchable
          clearable
          disabled={disabled}
          value={[...form.projects]}
          error={errorAt('projects')}
          onChange={(value) => set('projects', value)}
        />
        <MultiSelect
          label="Environments"
          description="Events without an environment are always sent"
          placeholder={form.environments.length === 0 ? 'All environments' : ''}
          data={known(
            environments.map(({ name }) => name),
            form.environments,
          )}
          searchable
          clearable
          disabled={disabled}
          value={[...form.environments]}
          error={errorAt('environments')}
          onChange={(value) => set('environments', value)}
        />
        <TagsField
          label="Tags"
          description="Send only events of features with at least one of these tags. Enter type:value, or just a value for a simple tag. Leave empty for all events."
          placeholder={form.tags.length === 0 ? 'simple:release' : ''}
          disabled={disabled}
          tags={form.tags}
          error={errorAt('tags')}
          onChange={(tags) => set('tags', tags)}
        />
      </Part>
      <Part title="Delivery">
        <Checkbox
          label="Deliver in order"
          description="Each event waits until the previous one is delivered or has failed permanently. A slow endpoint delays everything behind it."
          checked={form.inOrder}
          disabled={disabled}
          onChange={({ currentTarget }) => set('inOrder', currentTarget.checked)}
        />
        <NumberInput
          label="Keep delivery records for"
          suffix={` ${agree(Number(form.retentionDays), 'day')}`}
          min={1}
          max={3650}
          allowDecimal={false}
          maw={220}
          disabled={disabled}
          value={form.retentionDays}
          error={errorAt('retentionDays')}
          onChange={(value) => set('retentionDays', Number(value) || 1)}
        />
      </Part>
    </Stack>
  );
}
