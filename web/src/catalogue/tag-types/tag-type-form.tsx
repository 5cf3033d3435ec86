import { ColorInput } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api.ts';
import { useRefusal } from '../../me.ts';
import { invalidate, read } from '../../queries.ts';
import { faultAt } from '../../ui/faults.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { tellDone } from '../../ui/notices.tsx';
import { Problem } from '../../ui/problem.tsx';
import { DescriptionField, TextField } from '../../ui/text-field.tsx';
import type { TagType } from './tag-types.tsx';

const swatches = ['#0F766E', '#2563EB', '#7C3AED', '#DB2777', '#DC2626', '#D97706', '#64748B'];

export const CreateTagType = () => <TagTypeForm type={undefined} />;

export function EditTagType() {
  const { name } = useParams({ from: '/shell/configure/tag-types/edit/$name' });
  const { tagTypes } = useSuspenseQuery(read('GET /api/admin/tag-types', {})).data;
  const type = tagTypes.find((each) => each.name === name);
  if (!type) return <Problem error={new Error(`There is no tag type ${name}`)} />;
  return <TagTypeForm key={name} type={type} />;
}

function TagTypeForm({ type }: { readonly type: TagType | undefined }) {
  const navigate = useNavigate();
  const close = () => void navigate({ to: '/tag-types', search: true });
  const refusal = useRefusal(type ? 'UPDATE_TAG_TYPE' : 'CREATE_TAG_TYPE');
  const [name, setName] = useState(type?.name ?? '');
  const [description, setDescription] = useState(type?.description ?? '');
  const [color, setColor] = useState(type?.color ?? '');
  const [icon, setIcon] = useState(type?.icon ?? '');
  const save = useMutation({
    mutationFn: async () => {
      const body = { description, color: color || null, icon: icon.trim() || null };
      await (type
        ? api('PUT /api/admin/tag-types/:name', { params: { name: type.name }, body })
        : api('POST /api/admin/tag-types', { body: { name: name.trim(), ...body } }));
    },
    onSuccess: async () => {
      await invalidate('GET /api/admin/tag-types');
      close();
      tellDone({ id: `tag type ${name}`, title: `The tag type ${name.trim()} is saved` });
    },
  });
  return (
    <FormDialog
      title={type ? `Change ${type.name}` : 'New tag type'}
      action={type ? 'Save' : 'Create tag type'}
      refusal={refusal}
      isReady={name.trim() !== ''}
      sending={save}
      fields={['name', 'description', 'color', 'icon']}
      onClose={close}
    >
      {!type && (
        <TextField
          name="name"
          label="Name"
          description="It stands before the value of each tag, and never changes."
          placeholder="team"
          required
          maxLength={50}
          data-autofocus
          value={name}
          refused={save.error}
          onChange={setName}
        />
      )}
      <DescriptionField value={description} refused={save.error} onChange={setDescription} />
      <ColorInput
        withEyeDropper={false}
        label="Colour"
        placeholder="None"
        swatches={swatches}
        value={color}
        error={faultAt(save.error, 'color')}
        onChange={setColor}
      />
      <TextField
        name="icon"
        label="Icon"
        description="The name of an icon, for clients that show one."
        maxLength={100}
        value={icon}
        refused={save.error}
        onChange={setIcon}
      />
    </FormDialog>
  );
}
