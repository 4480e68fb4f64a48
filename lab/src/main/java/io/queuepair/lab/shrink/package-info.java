// SPDX-License-Identifier: Apache-2.0
/**
 * Reduces a simulation that fails to the smallest that fails in the same way, and writes that as a
 * scenario, or in words. Knows what a test case consists of, and nothing of how it runs.
 */
package io.queuepair.lab.shrink;
