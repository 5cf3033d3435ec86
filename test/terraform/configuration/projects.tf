resource "unleash_environment" "staging" {
  name = "tf-staging"
  type = local.second ? "test" : "preproduction"
}

resource "unleash_project" "bare" {
  id   = "tf-bare"
  name = local.second ? "Quite bare" : "Bare"
}

resource "unleash_project" "shop" {
  id          = "tf-shop"
  name        = local.second ? "Web shop" : "Shop"
  description = local.second ? "What customers see" : "Shown to customers"
  mode        = local.second ? "private" : "open"
  feature_naming = local.second ? null : {
    pattern     = "[a-z-]+"
    example     = "dark-mode"
    description = "Small letters and hyphens"
  }
  link_templates = local.second ? [
    { title = null, url_template = "https://wiki.example.com/{{project}}" },
    ] : [
    { title = "Issues", url_template = "https://issues.example.com/?q={{feature}}" },
    { title = "Wiki", url_template = "https://wiki.example.com/{{project}}" },
  ]

  # A role that somebody has in a project is not deleted: the project goes first.
  depends_on = [unleash_role.in_project]
}

resource "unleash_project" "emptied" {
  id          = "tf-emptied"
  name        = "Emptied"
  description = ""
  mode        = "protected"
}

resource "unleash_project_environment" "staging" {
  project_id       = unleash_project.shop.id
  environment_name = unleash_environment.staging.name
}

resource "unleash_project_environment" "production" {
  project_id              = unleash_project.shop.id
  environment_name        = "production"
  change_requests_enabled = false
}

resource "unleash_project_environment" "only" {
  project_id              = unleash_project.bare.id
  environment_name        = "development"
  change_requests_enabled = false
  required_approvals      = local.second ? 3 : 2
}
