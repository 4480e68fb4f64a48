/** Programs that are modules, on the module path. */
package io.queuepair.tests.modules;
