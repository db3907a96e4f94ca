//! Calls from Rust to Python code that are safe during interpreter shutdown.
//!
//! Python before 3.14 ends a daemon thread that needs the GIL during finalization with `pthread_exit`, which
//! unwinds the thread's stack. pyo3 parks a thread if pyo3 itself acquires the GIL, but Python code also
//! releases and reacquires it. Unwinding such a thread through the Rust frames below the Python code would
//! abort the process. Therefore Rust calls Python code only through the functions in this file; they park the
//! thread, as Python 3.14 does.

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::hint::black_box;
use std::{mem, ptr, thread};

/// Type of `PyObject_Call`.
type Call = unsafe extern "C" fn(*mut PyObject, *mut PyObject, *mut PyObject) -> *mut PyObject;
/// `Call` with an ABI that allows unwinding.
type UnwindingCall = unsafe extern "C-unwind" fn(*mut PyObject, *mut PyObject, *mut PyObject) -> *mut PyObject;

/// Blocks the current thread permanently when dropped.
struct Park;

impl Drop for Park {
    fn drop(&mut self) {
        park();
    }
}

/// Blocks a daemon thread permanently, because the interpreter is shutting down.
pub fn park() -> ! {
    loop {
        thread::park();
    }
}

/// Calls an object with a tuple of arguments.
pub fn call<'py, A>(callable: &Bound<'py, PyAny>, arguments: A) -> PyResult<Bound<'py, PyAny>>
where
    A: IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error: Into<PyErr>>,
{
    let arguments = arguments.into_pyobject(callable.py()).map_err(Into::into)?;
    let function: Call = ffi::PyObject_Call;
    // SAFETY: the two types differ only in unwinding. The function is hidden from the compiler, which would
    // otherwise assume that it never unwinds.
    let function = black_box(unsafe { mem::transmute::<Call, UnwindingCall>(function) });
    let park = Park;
    // SAFETY: the GIL is held, the pointers refer to live objects, and a null pointer means no keyword
    // arguments.
    let result = unsafe { function(callable.as_ptr(), arguments.as_ptr(), ptr::null_mut()) };
    mem::forget(park);
    // SAFETY: `PyObject_Call` returns a new reference, or a null pointer with an exception set.
    unsafe { Bound::from_owned_ptr_or_err(callable.py(), result) }
}

/// Calls a function of a module.
pub fn call_in<'py, A>(py: Python<'py>, module: &str, name: &str, arguments: A) -> PyResult<Bound<'py, PyAny>>
where
    A: IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error: Into<PyErr>>,
{
    call(&py.import(module)?.getattr(name)?, arguments)
}

/// Returns the items of an iterable, which may be a generator.
pub fn items<'py>(iterable: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    Ok(call(iterable.py().get_type::<PyList>().as_any(), (iterable,))?.cast_into()?)
}
