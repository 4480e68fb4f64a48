// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code grade}: exercises are scenarios with gaps. The statements that a file gives
 * for the gaps are put into the exercise, which is run; the rest of the file does not count.
 */
package io.queuepair.tools.grade;
