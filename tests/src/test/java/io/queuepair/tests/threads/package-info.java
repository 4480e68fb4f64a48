// SPDX-License-Identifier: Apache-2.0
/** Threads of an application that take turns in virtual time. */
package io.queuepair.tests.threads;

