// SPDX-License-Identifier: Apache-2.0
/** Pages of the project, which the build copies beside the classes, and their tables. */
package io.queuepair.tools.project;
