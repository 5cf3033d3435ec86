terraform {
  required_providers {
    unleash = {
      source = "unleash/unleash"
    }
  }
}

provider "unleash" {}

variable "approvals" {
  type    = number
  default = 2
}

resource "unleash_project" "guarded" {
  id   = "tf-guarded"
  name = "Guarded"
}

resource "unleash_project_environment" "guarded" {
  project_id              = unleash_project.guarded.id
  environment_name        = "production"
  change_requests_enabled = true
  required_approvals      = var.approvals
}
