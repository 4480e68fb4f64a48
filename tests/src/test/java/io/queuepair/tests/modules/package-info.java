// SPDX-License-Identifier: Apache-2.0
/** Programs that are modules, on the module path. */
package io.queuepair.tests.modules;
