// SPDX-License-Identifier: Apache-2.0
/**
 * Reduces a failing simulation to the smallest that fails in the same way, and writes the result as
 * a scenario or as text. Knows the parts of a test case, not how it runs.
 */
package io.queuepair.lab.shrink;
