// SPDX-License-Identifier: Apache-2.0
/**
 * The grade command: exercises, which are scenarios with gaps, and what a file fills in. Only what
 * stands in the gaps counts; it is put into the exercise, and that is run.
 */
package io.queuepair.tools.grade;
