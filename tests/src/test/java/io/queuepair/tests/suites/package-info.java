// SPDX-License-Identifier: Apache-2.0
/**
 * The cases of three public conformance suites, each under its own name. {@link SuiteIndex} lists
 * them all with what became of them; rows that are alike are tables of {@link SuiteCase}.
 */
package io.queuepair.tests.suites;
