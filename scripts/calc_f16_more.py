def write_all(folder, names): pass
