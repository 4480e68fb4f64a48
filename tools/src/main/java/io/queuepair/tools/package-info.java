// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code queuepair} command: its top level, and what every failure looks like. Each command has
 * a package below; what they share is in {@code cli}. Commands by which the project tests itself
 * come from its laboratory. Uses picocli and what applications may use.
 */
package io.queuepair.tools;
