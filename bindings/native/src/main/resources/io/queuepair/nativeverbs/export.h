// SPDX-License-Identifier: Apache-2.0
#pragma once

// What programs see of this library; all else is hidden.
#define EXPORT __attribute__((visibility("default")))
